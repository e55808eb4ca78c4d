import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash, sha256 } from '@/lib/infra/crypto'
import { stockSql } from '@/lib/stock/stock-sql'
import { waitlistError } from './messages'

/**
 * SQL: the last run about which a person needs no email. For most people this is the current run. For people who wait
 * for a start, or who named no value of a drop with options, it is the run before, because the current run may be what
 * they wait for.
 */
const WAITED_RUN = `CASE WHEN e."askedStart" OR (d."optionName" IS NOT NULL AND v."id" IS NULL) THEN d."run" - 1 ELSE d."run" END`

/**
 * SQL: whether the person had an offer in this run. An offer that ended for a reason of ours, such as an error of
 * Stripe, does not count.
 */
const HAD_OFFER = `(e."offeredRun" = d."run" AND EXISTS (
  SELECT 1 FROM "Hold" h WHERE h."id" = e."claimHoldId" AND (h."state" <> 'released' OR ${stockSql.endedUnpaid('h')})))`

/**
 * Confirms an email address, so that its owner is on the drop's waitlist. An entry that already waits in this run keeps
 * its place, unless it now wants another value of the drop's option or has had an offer in this run. Every other entry
 * goes to the end of the line. A person who has had an offer gets no other offer in this run, and the network of that
 * offer stays with the entry. Otherwise the same mailboxes could keep a freed unit forever (ADR 0074). A person who
 * named no value of a drop with options has no place in the line and waits for a relaunch. If the drop was relaunched
 * before the confirmation, that person is emailed about it now. A person who asked for the start of a run gets the
 * reminder, even if the run has begun meanwhile, but no unit is held for this person
 * (docs/product.md#scheduled-start).
 * @returns the drop, and whether the person waits for a unit of this run but gets no other offer in it
 * @throws LINK_INVALID
 */
export async function confirmWaitlist(ctx: Context, token: string): Promise<{ dropId: number; hadOffer: boolean }> {
  const [row] = await ctx.sql<{ dropId: number; hadOffer: boolean }>(
    'confirm-waitlist',
    `UPDATE "WaitlistEntry" e SET "confirmedAt" = now(), "unsubscribedAt" = NULL, "valueId" = v."id",
            "originKey" = CASE WHEN ${HAD_OFFER} THEN e."originKey" ELSE :originKey END,
            "waitsForStart" = e."askedStart",
            "run" = ${WAITED_RUN},
            "joinedAt" = CASE WHEN e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" = ${WAITED_RUN}
                               AND e."valueId" IS NOT DISTINCT FROM e."askedValueId"
                               AND e."offeredRun" IS DISTINCT FROM d."run" THEN e."joinedAt" ELSE now() END,
            "offeredRun" = CASE WHEN ${HAD_OFFER} THEN e."offeredRun" END
       FROM "WaitlistEntry" a JOIN "Drop" d ON d."id" = a."dropId"
       LEFT JOIN "OptionValue" v ON v."id" = a."askedValueId" AND v."dropId" = d."id"
      WHERE a."tokenHash" = :tokenHash AND e."id" = a."id" AND e."tokenHash" = :tokenHash
      RETURNING e."dropId", COALESCE(e."offeredRun" = e."run" AND d."endTime" > now(), false) AS "hadOffer"`,
    { tokenHash: sha256(token), originKey: originKeyOf(ctx) },
  )
  if (!row) throw waitlistError('LINK_INVALID')
  return row
}

/**
 * Returns a hash of the visitor's network, by which offerFreedUnits() limits the offers to one network. Returns null if
 * the network is not known, or belongs to a proxy with many visitors behind it.
 */
function originKeyOf({ network, isUnknownProxy }: Context): string | null {
  return network === '' || isUnknownProxy ? null : keyedHash('waitlist-origin', network).slice(0, 32)
}
