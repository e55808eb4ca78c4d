import 'server-only'
import { type Batch, handleBatch } from '@/lib/infra/handle-batch'
import type { MailedPhoto } from '@/lib/drops/mails'
import { dropSql } from '@/lib/drops/drop-sql'
import { MAILED_PHOTO } from '@/lib/drops/queries'
import { zoneSql } from '@/lib/drops/delivery/zone-sql'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { allowStartMailsAgain } from '@/lib/notifications/recall-start-mails'
import { stockSql, valueSql } from '@/lib/stock/stock-sql'
import { canceledMail, relaunchMail, startMail } from './mails'
import { REMIND_AHEAD_SECONDS, REMINDERS_PER_SECOND } from './rules'

const BATCH = 200

type Due = {
  id: number
  email: string
  timezone: string | null
  title: string
  customSlug: string | null
  uniqueId: string
  priceCents: number
  hasSurcharge: boolean
  run: number
  startedAt: Date
  endTime: Date
  isAhead: boolean
  waitsForStart: boolean
  isOpenEdition: boolean
  photo: MailedPhoto | null
}

/**
 * Queues emails to up to BATCH people who wait for a new run, when the run has begun or starts soon and units are
 * free. Each person gets one email per run, because the email and the note that it was queued are written together. A
 * person who waits for a start gets one email about it and none about later runs. The scheduled drops are locked first,
 * so that nobody is reminded of a start that is just being moved or canceled. A scheduled drop that a seller is
 * editing is skipped until the next call. An email that cannot be queued does not keep the others waiting.
 * @returns how many emails were queued.
 */
export function notifyWaitlist(ctx: Context): Promise<number> {
  return handleBatch<number>(ctx, { name: 'reminders', most: BATCH, handle: (batch) => remind(ctx, batch) })
}

function remind(ctx: Context, { limit, except, note }: Batch<number>): Promise<number> {
  return sqlTransaction(ctx, async (tx) => {
    const starting = await tx.sql<{ id: number }>('lock-starting-drops', STARTING, {})
    const due = { starting: starting.map(({ id }) => id), limit, except }
    const waiting = await tx.sql<Due>('waitlist-due', DUE, due)
    note(waiting.map(({ id }) => id))
    if (waiting.length === 0) return 0
    await tx.sql(
      'waitlist-notified',
      `UPDATE "WaitlistEntry" e SET "notifiedRun" = d."run", "notifiedAt" = now()
         FROM unnest(:ids::int[], :runs::int[]) AS d("id", "run") WHERE e."id" = d."id"`,
      { ids: waiting.map(({ id }) => id), runs: waiting.map(({ run }) => run) },
    )
    await queueMail(
      tx,
      waiting.map((due) => mailOf(due, ctx.appUrl)),
    )
    return waiting.length
  })
}

/**
 * Queues an email to up to BATCH people who were reminded of a start that the seller then canceled. They count as not
 * reminded afterwards, so they get an email if the drop goes on sale after all.
 * @returns how many emails were queued.
 */
export function notifyOfCanceledStarts(ctx: Context): Promise<number> {
  const handle = (batch: Batch<number>) => tellOfCanceled(ctx, batch)
  return handleBatch<number>(ctx, { name: 'canceled-starts', most: BATCH, handle })
}

function tellOfCanceled(ctx: Context, { note, ...which }: Batch<number>): Promise<number> {
  return sqlTransaction(ctx, async (tx) => {
    const reminded = await tx.sql<Due>('waitlist-canceled', CANCELED, which)
    if (reminded.length === 0) return 0
    const ids = reminded.map(({ id }) => id)
    note(ids)
    await tx.sql(
      'waitlist-not-reminded',
      `UPDATE "WaitlistEntry" SET "notifiedRun" = NULL WHERE "id" = ANY(:ids::int[])`,
      { ids },
    )
    await allowStartMailsAgain(tx, ids)
    await queueMail(
      tx,
      reminded.map((due) => canceledMail(due, due, { run: due.run, at: due.startedAt, end: due.endTime }, ctx.appUrl)),
    )
    return reminded.length
  })
}

function mailOf(due: Due, appUrl: string): QueuedMail {
  const { run, startedAt: at, endTime: end, isAhead } = due
  return due.waitsForStart
    ? startMail(due, due, { run, at, end, isAhead }, appUrl)
    : relaunchMail(due, due, { run, end }, appUrl)
}

/**
 * Locks the scheduled drops whose reminders are sent now (docs/product.md#scheduled-start). No reminder is sent more
 * than a day ahead, so reminders have to be counted for few drops only.
 */
const STARTING = `
  SELECT d."id" FROM "Drop" d JOIN "User" u ON u."id" = d."userId"
   WHERE d."startedAt" > now() AND d."startedAt" <= now() + interval '1 day' AND ${dropSql.isOpen}
     AND d."startedAt" <= now() + make_interval(secs => ${REMIND_AHEAD_SECONDS} + (
           SELECT count(*) FROM "WaitlistEntry" w
            WHERE w."dropId" = d."id" AND w."confirmedAt" IS NOT NULL)::float8 / ${REMINDERS_PER_SECOND})
   FOR SHARE OF d SKIP LOCKED`

const COLUMNS = `
  e."id", e."email", e."timezone", d."title", d."customSlug", d."uniqueId", d."priceCents", d."run", d."startedAt",
  ${zoneSql.hasSurcharge} AS "hasSurcharge", d."endTime", d."startedAt" > now() AS "isAhead", e."waitsForStart",
  d."isOpenEdition", ${MAILED_PHOTO}`

const CANCELED = `
  SELECT ${COLUMNS}
    FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
   WHERE e."notifiedRun" = d."run" AND e."waitsForStart" AND e."unsubscribedAt" IS NULL AND ${dropSql.isJustCanceled}
     AND e."id" <> ALL(:except::int[])
   ORDER BY e."id" LIMIT :limit FOR UPDATE OF e SKIP LOCKED`

const DUE = `
  SELECT ${COLUMNS}
    FROM "WaitlistEntry" e JOIN "Drop" d ON d."id" = e."dropId" JOIN "User" u ON u."id" = d."userId"
    LEFT JOIN "OptionValue" v ON v."id" = e."valueId"
   WHERE e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" < d."run"
     AND COALESCE(e."notifiedRun", 0) < d."run" AND NOT (e."waitsForStart" AND e."notifiedRun" IS NOT NULL)
     AND ((${dropSql.isLive}) OR d."id" = ANY(:starting::int[]))
     AND ${stockSql.free} > 0 AND (v."id" IS NULL OR ${valueSql.free} > 0)
     AND e."id" <> ALL(:except::int[])
   ORDER BY "isAhead" DESC, e."joinedAt", e."id" LIMIT :limit FOR UPDATE OF e SKIP LOCKED`
