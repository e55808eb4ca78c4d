import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash, sha256 } from '@/lib/infra/crypto'
import { waitlistError } from './messages'

/** The run in which somebody joined. Those who asked for the start of a run, and those who wait for news, joined before it. */
const WAITED_RUN = `CASE WHEN e."askedStart" OR (d."optionName" IS NOT NULL AND v."id" IS NULL) THEN d."run" - 1 ELSE d."run" END`

/**
 * Confirms an email address: from now on its owner waits for the drop's current run. An entry that already waits
 * keeps its place; one that now wants another value of the drop's option, or whose offer expired, goes to the end of the
 * line. Who named no value of a drop with options waits for news and not in a line: when the drop was launched again before
 * they confirmed, that news is sent to them now. Who asked for a start waits for this run as others wait for the next one,
 * also when it began meanwhile: they get the reminder, and no unit is held for them (docs/product.md#scheduled-start).
 * @throws LINK_INVALID
 */
export async function confirmWaitlist(ctx: Context, token: string): Promise<{ dropId: number }> {
  const [row] = await ctx.sql<{ dropId: number }>(
    'confirm-waitlist',
    `UPDATE "WaitlistEntry" e SET "confirmedAt" = now(), "unsubscribedAt" = NULL, "valueId" = v."id", "originKey" = :originKey,
            "waitsForStart" = e."askedStart",
            "run" = ${WAITED_RUN},
            "joinedAt" = CASE WHEN e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" = ${WAITED_RUN}
                               AND e."valueId" IS NOT DISTINCT FROM e."askedValueId"
                               AND e."offeredRun" IS DISTINCT FROM d."run" THEN e."joinedAt" ELSE now() END,
            "offeredRun" = CASE WHEN EXISTS (SELECT 1 FROM "Hold" h WHERE h."id" = e."claimHoldId" AND h."state" <> 'released')
                                THEN e."offeredRun" END
       FROM "WaitlistEntry" a JOIN "Drop" d ON d."id" = a."dropId"
       LEFT JOIN "OptionValue" v ON v."id" = a."askedValueId" AND v."dropId" = d."id"
      WHERE a."tokenHash" = :tokenHash AND e."id" = a."id" AND e."tokenHash" = :tokenHash RETURNING e."dropId"`,
    { tokenHash: sha256(token), originKey: originKeyOf(ctx) },
  )
  if (!row) throw waitlistError('LINK_INVALID')
  return row
}

/** A hash of the network, by which offers are limited; null where the address stands for everybody behind a proxy. */
function originKeyOf({ network, isUnknownProxy }: Context): string | null {
  return network === '' || isUnknownProxy ? null : keyedHash('waitlist-origin', network).slice(0, 32)
}
