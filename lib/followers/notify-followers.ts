import 'server-only'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { MAY_RETURN } from '@/lib/drops/history/history-queries'
import { dropSql } from '@/lib/drops/drop-sql'
import { MAILED_PHOTO } from '@/lib/drops/queries'
import { CANCEL_NEWS_HOURS } from '@/lib/drops/start/start-rules'
import { zoneSql } from '@/lib/drops/delivery/zone-sql'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { IS_TO_SEND } from '@/lib/notifications/is-to-send'
import { followerOfKeySql, noticeKeySql } from '@/lib/notifications/notice-key'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recallMails } from '@/lib/notifications/recall-mails'
import { isPlatformActive } from '@/lib/platform/queries'
import { earlySql } from '@/lib/stock/early-sql'
import { stockSql } from '@/lib/stock/stock-sql'
import { issueEarlyLinks } from './issue-early-links'
import { type Announced, noticeMail } from './mails'
import { LINKS_AHEAD_SECONDS, LINKS_PER_SECOND } from './rules'

/**
 * How many emails about all drops of a seller a follower may get in a day, without those about canceled starts. A
 * seller who creates and ends drops all day could send hundreds otherwise. We chose the number.
 */
const MOST_A_DAY = 20

/** The number of followers that one transaction handles. */
const BATCH = 250

/**
 * The highest number of emails to followers that wait in the outbox. A process sends up to 40 emails a second, and this
 * job runs every second, so the queue does not run empty in between. With a longer queue, emails about several drops
 * would wait for each other, and more emails would have to be recalled when a drop is hidden.
 */
const MOST_WAITING = 500

/**
 * Queues the emails about drops to the followers of their sellers (docs/product.md#followers). Each drop has one row
 * per kind of email, which records how far this job has got, so several processes may run it at the same time and
 * nobody gets an email twice. First it recalls the queued emails that may no longer be sent. While the platform is
 * paused, it recalls all of them and queues none. A notice whose emails cannot be queued does not keep those of other
 * drops waiting.
 * @returns the number of followers whose turn came, including those who already had their email.
 * @throws the first error, after the emails of the other notices were queued
 */
export async function notifyFollowers(ctx: Context): Promise<number> {
  const isPaused = !(await isPlatformActive(ctx))
  await recallOutdatedMails(ctx, isPaused)
  if (isPaused) return 0
  await ctx.sql('close-notices', CLOSE)
  await ctx.sql('reopen-notices', REOPEN)
  await ctx.sql('update-notice-times', UPDATE_TIMES)
  await ctx.sql('begin-notices', BEGIN)
  const [row] = await ctx.sql<{ count: number }>('waiting-notice-mails', WAITING)
  let queued = 0
  const failed = new Map<number, unknown>()
  for (let free = MOST_WAITING - (row?.count ?? 0); free > 0;) {
    let next: number | undefined
    const note = (noticeId: number) => (next = noticeId)
    const batch = { limit: Math.min(free, BATCH), except: [...failed.keys()], note }
    const count = await queueNext(ctx, batch).catch((error: unknown) => {
      if (next === undefined || isDatabaseUnavailable(error)) throw error
      failed.set(next, error)
      return 0
    })
    if (count === null) break
    queued += count
    free -= count
  }
  for (const [noticeId, error] of failed) {
    ctx.log.error({ noticeId, cause: String(error) }, 'the emails of this notice could not be queued')
  }
  if (failed.size > 0) throw [...failed.values()][0]
  return queued
}

/** SQL: whether drop `d` has early access and its public start is still to come. */
const IS_EARLY = `(d."earlyMinutes" IS NOT NULL AND d."startedAt" > now())`

/**
 * SQL: the time that is stated in the emails of notice `n` about drop `d`. In an email with a personal link, this is
 * when the link begins to work.
 */
const NAMED_TIME = `CASE WHEN n."kind" IN ('scheduled', 'canceled') THEN d."startedAt" WHEN n."kind" = 'live' AND ${IS_EARLY} THEN ${earlySql.opensAt}
  ELSE d."endTime" END`

/**
 * SQL: whether the personal links of drop `d` are sent now, in place of the email that says that it has started. The
 * more followers there are, the earlier this begins, so that the last link is sent in time (LINKS_PER_SECOND).
 */
const SENDS_LINKS = `CASE WHEN ${IS_EARLY} THEN ${earlySql.opensAt} <= now() + make_interval(secs => ${LINKS_AHEAD_SECONDS} + (
    SELECT count(*) FROM "Follower" f WHERE f."sellerId" = d."userId" AND f."confirmedAt" IS NOT NULL)::float8 / ${LINKS_PER_SECOND})
  ELSE false END`

/**
 * SQL: which kind of email may be sent about drop `d` of seller `u` now, or NULL for none. It is at most one kind, so
 * that no two emails about a drop are sent together.
 */
const KIND_NOW = `CASE
  WHEN ${dropSql.isJustCanceled} THEN 'canceled'
  WHEN d."startedAt" > now() AND ${dropSql.isOpen} THEN CASE WHEN ${SENDS_LINKS} THEN 'live' ELSE 'scheduled' END
  WHEN NOT (${dropSql.isLive}) OR NOT ${stockSql.hasUnsold} THEN NULL
  WHEN d."endTime" > now() + interval '1 hour' THEN 'live'
  ELSE 'lastHour' END`

/** SQL: whether what the queued emails of notice `n` say is still true, so that they may be sent. */
const IS_CURRENT = `n."kind" = ${KIND_NOW} AND n."namedTime" = ${NAMED_TIME}`

/**
 * Recalls the queued emails of notices that are out of date: the drop was hidden, is in review, has sold out, has
 * ended, has other times or was edited after they were queued (or within two seconds before, while the edit was not
 * visible yet), or its seller was suspended. The followers concerned then count as not emailed. The rows of the notices
 * are locked first, as in queueNext(), so that the two cannot deadlock.
 */
async function recallOutdatedMails(ctx: Context, isPaused: boolean): Promise<void> {
  const [some] = await ctx.sql<{ id: number }>('any-outdated-notice', outdatedNotices('LIMIT 1'), { isPaused })
  if (!some) return
  await sqlTransaction(ctx, async (tx) => {
    const notices = await tx.sql<{ id: number }>('outdated-notices', outdatedNotices('FOR UPDATE OF n SKIP LOCKED'), {
      isPaused,
    })
    const noticeIds = notices.map(({ id }) => id)
    const mails = await tx.sql<{ id: number; noticeId: number; followerId: number }>(
      'mails-of-notices',
      `SELECT "id", "noticeId", ${followerOfKeySql}::int AS "followerId" FROM "OutboxMail"
        WHERE "noticeId" = ANY(:noticeIds::int[]) AND "sentAt" IS NULL`,
      { noticeIds },
    )
    const recalled = new Set(
      await recallMails(
        tx,
        mails.map(({ id }) => id),
      ),
    )
    const again = mails.filter(({ id }) => recalled.has(id))
    await tx.sql(
      'rewind-notices',
      `UPDATE "FollowerNotice" n SET "lastFollowerId" = LEAST(n."lastFollowerId", r."first" - 1), "doneAt" = NULL
         FROM (SELECT "noticeId", min("followerId") AS "first"
                 FROM unnest(:notices::int[], :followers::int[]) AS m("noticeId", "followerId") GROUP BY 1) r
        WHERE n."id" = r."noticeId"`,
      { notices: again.map(({ noticeId }) => noticeId), followers: again.map(({ followerId }) => followerId) },
    )
  })
}

/**
 * SQL: selects the notices that are out of date and have emails that can be recalled. It reads only unsent emails,
 * so it is quick.
 */
const outdatedNotices = (suffix: string) => `
  SELECT n."id" FROM "FollowerNotice" n JOIN "Drop" d ON d."id" = n."dropId" JOIN "User" u ON u."id" = d."userId"
   WHERE n."id" IN (SELECT m."noticeId" FROM "OutboxMail" m
                     WHERE m."noticeId" IS NOT NULL AND m."sentAt" IS NULL
                       AND (m."attempts" = 0 OR m."lastError" IS NOT NULL))
     AND (:isPaused OR (${IS_CURRENT}) IS NOT TRUE OR EXISTS (
       SELECT FROM "OutboxMail" m WHERE m."noticeId" = n."id" AND m."sentAt" IS NULL AND m."createdAt" < d."updatedAt" + interval '2 seconds'
          AND (m."attempts" = 0 OR m."lastError" IS NOT NULL))) ${suffix}`

/** Ends the notices whose time has passed, even if some followers did not get the email. A late email is not sent. */
const CLOSE = `
  UPDATE "FollowerNotice" n SET "doneAt" = now() FROM "Drop" d
   WHERE d."id" = n."dropId" AND n."doneAt" IS NULL
     AND CASE n."kind" WHEN 'scheduled' THEN d."startedAt" <= now()
                       WHEN 'canceled' THEN d."endTime" <= now() - interval '${CANCEL_NEWS_HOURS} hours'
                       WHEN 'live' THEN d."endTime" <= now() + interval '1 hour' ELSE d."endTime" <= now() END`

/**
 * Opens notices with personal links again at the public start, so that people who confirmed after the links were queued
 * are notified that the drop has started. For followers who got a link, that email would have the same key, so it is
 * not queued. A notice with links is recognized by its time, which is before the end. Later runs have no early access.
 */
const REOPEN = `
  UPDATE "FollowerNotice" n SET "doneAt" = NULL, "lastFollowerId" = 0, "namedTime" = d."endTime" FROM "Drop" d
   WHERE d."id" = n."dropId" AND n."kind" = 'live' AND n."namedTime" < d."endTime"
     AND d."run" = 1 AND d."startedAt" BETWEEN now() - interval '6 hours' AND now() AND d."endTime" > now() + interval '1 hour'
     AND EXISTS (SELECT FROM "EarlyLink" l WHERE l."dropId" = d."id")`

/**
 * Writes the current times into the notices that are not finished. Their emails with other times were recalled before.
 */
const UPDATE_TIMES = `
  UPDATE "FollowerNotice" n SET "namedTime" = ${NAMED_TIME} FROM "Drop" d
   WHERE d."id" = n."dropId" AND n."doneAt" IS NULL AND n."namedTime" <> ${NAMED_TIME}`

/**
 * Begins the notices of drops whose seller has followers. If a drop could not be sold in the six hours after its start,
 * for example because of a suspension, no email says that it has started. The email about a canceled start needs one
 * that named the start. It takes the place of the email of the last hour, so that nobody gets a fourth.
 */
const BEGIN = `
  INSERT INTO "FollowerNotice" ("dropId", "kind", "namedTime")
  SELECT n."dropId", n."kind", ${NAMED_TIME}
    FROM "Drop" d JOIN "User" u ON u."id" = d."userId"
   CROSS JOIN LATERAL (SELECT d."id" AS "dropId", ${KIND_NOW} AS "kind") n
   WHERE (d."startedAt" > now() - interval '6 hours' OR d."endTime" BETWEEN now() AND now() + interval '1 hour')
     AND n."kind" IS NOT NULL
     AND EXISTS (SELECT FROM "Follower" f WHERE f."sellerId" = d."userId" AND f."confirmedAt" IS NOT NULL)
     AND NOT EXISTS (SELECT FROM "FollowerNotice" o WHERE o."dropId" = d."id" AND o."kind" = n."kind")
     AND (n."kind" = 'canceled' OR ${MOST_A_DAY} > (
           SELECT count(*) FROM "FollowerNotice" o JOIN "Drop" x ON x."id" = o."dropId"
            WHERE x."userId" = d."userId" AND o."kind" <> 'canceled' AND o."createdAt" > now() - interval '1 day'))
     AND CASE n."kind"
           WHEN 'canceled' THEN EXISTS (SELECT FROM "FollowerNotice" o WHERE o."dropId" = d."id" AND o."lastFollowerId" > 0)
           WHEN 'lastHour' THEN NOT EXISTS (SELECT FROM "FollowerNotice" o WHERE o."dropId" = d."id" AND o."kind" = 'canceled')
           ELSE true END
  ON CONFLICT ("dropId", "kind") DO NOTHING`

/**
 * Counts the emails to followers that could be sent now. Emails that failed wait for their next attempt and do not
 * count, nor do those that were given up. Otherwise the refused emails of one seller could keep all others from being
 * queued.
 */
const WAITING = `
  SELECT count(*)::int AS "count" FROM "OutboxMail"
   WHERE "noticeId" IS NOT NULL AND "sendAfter" <= now() AND ${IS_TO_SEND}`

type Notice = Announced & { sellerId: number; lastFollowerId: number }
type Follower = { id: number; email: string; mailbox: string; confirmedAt: Date; timezone: string | null }

/**
 * Queues the next emails of one notice, and says which notice it is before anything can fail because of it.
 * @returns the number of followers handled, or null when no notice is left.
 */
function queueNext(
  ctx: Context,
  { limit, except, note }: { limit: number; except: readonly number[]; note: (noticeId: number) => void },
): Promise<number | null> {
  return sqlTransaction(ctx, async (tx) => {
    const [notice] = await tx.sql<Notice>('next-notice', NEXT, { except })
    if (!notice) return null
    const { sellerId, lastFollowerId, noticeId } = notice
    note(noticeId)
    const followers = await tx.sql<Follower>('next-followers', FOLLOWERS, { sellerId, lastFollowerId, limit })
    const { dropId, kind, earlyOpensAt } = notice
    const ids = followers.map(({ id }) => id)
    const isEarly = kind === 'live' && earlyOpensAt !== null
    // A new token would invalidate the link that a follower already has, and no second email would be queued for the
    // new link.
    const reached = isEarly
      ? await tx.sql<Follower>('unmailed-followers', UNMAILED, { dropId, ids })
      : kind === 'canceled'
        ? await tx.sql<Follower>('followers-who-know-the-start', KNOW_THE_START, { dropId, ids })
        : followers
    const tokens = isEarly ? await issueEarlyLinks(tx, dropId, reached) : null
    await queueMail(
      tx,
      reached.map((follower) => noticeMail(follower, notice, ctx.appUrl, tokens?.get(follower.id))),
    )
    await tx.sql(
      'advance-notice',
      `UPDATE "FollowerNotice" SET "lastFollowerId" = :last, "doneAt" = CASE WHEN :isDone THEN now() END
        WHERE "id" = :noticeId`,
      { noticeId, last: followers.at(-1)?.id ?? lastFollowerId, isDone: followers.length < limit },
    )
    return followers.length
  })
}

/**
 * Selects the notice whose last follower has the lowest id, so that the notices take turns. While all units are in
 * checkout, a notice waits until one is free.
 */
const NEXT = `
  SELECT n."id" AS "noticeId", n."kind", n."dropId", n."lastFollowerId", d."userId" AS "sellerId", d."title",
         COALESCE(u."username", u."firstName") AS "username", d."customSlug", d."uniqueId", d."priceCents", ${zoneSql.hasSurcharge} AS "hasSurcharge", d."startedAt",
         d."endTime", d."isOpenEdition", CASE WHEN ${IS_EARLY} THEN ${earlySql.opensAt} END AS "earlyOpensAt", (${MAY_RETURN}) AS "mayReturn", ${MAILED_PHOTO}
    FROM "FollowerNotice" n JOIN "Drop" d ON d."id" = n."dropId" JOIN "User" u ON u."id" = d."userId"
   WHERE n."doneAt" IS NULL AND ${IS_CURRENT} AND ${stockSql.free} > 0 AND n."id" <> ALL(:except::int[])
     AND NOT (n."kind" = 'live' AND ${IS_EARLY} AND ${earlySql.left} <= 0)
   ORDER BY n."lastFollowerId", n."id" LIMIT 1 FOR UPDATE OF n SKIP LOCKED`

/** Returns SQL for the key of the email about the drop `:dropId` to follower `f`. */
const keyOf = (kind: 'scheduled' | 'live') => noticeKeySql(kind, ':dropId::int', 'f."id"')

/** Selects the followers for whom no email of the kind `live` was queued. */
const UNMAILED = `
  SELECT "id", "email", "mailbox", "confirmedAt", "timezone" FROM "Follower" f
   WHERE "id" = ANY(:ids::int[]) AND NOT EXISTS (
     SELECT 1 FROM "OutboxMail" m WHERE m."dedupeKey" = ${keyOf('live')})
   ORDER BY "id"`

/** Selects the followers who got an email that named the start of the drop, or one with a personal link. */
const KNOW_THE_START = `
  SELECT "id", "email", "mailbox", "confirmedAt", "timezone" FROM "Follower" f
   WHERE "id" = ANY(:ids::int[]) AND EXISTS (
     SELECT 1 FROM "OutboxMail" m WHERE m."dedupeKey" IN (${keyOf('scheduled')}, ${keyOf('live')}))
   ORDER BY "id"`

// The rows stay locked until the emails are queued, so that leaveSeller() finds and recalls them if a follower leaves
// meanwhile.
const FOLLOWERS = `
  SELECT "id", "email", "mailbox", "confirmedAt", "timezone" FROM "Follower"
   WHERE "sellerId" = :sellerId AND "confirmedAt" IS NOT NULL AND "id" > :lastFollowerId
   ORDER BY "id" LIMIT :limit FOR KEY SHARE`
