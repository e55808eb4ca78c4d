import 'server-only'
import { sha256 } from '@/lib/infra/crypto'
import { statement } from '@/lib/infra/db'
import { waitlistError } from './messages'

/**
 * The address says yes: from now on it waits, in the drop's present run. Who already waits keeps the place in the line; who
 * had an offer and let it lapse goes to its end.
 * @throws LINK_INVALID
 */
export async function confirmWaitlist(token: string): Promise<{ dropId: number }> {
  const [row] = await statement<{ dropId: number }>(
    'confirm-waitlist',
    `UPDATE "WaitlistEntry" e SET "confirmedAt" = now(), "unsubscribedAt" = NULL, "run" = d."run",
            "joinedAt" = CASE WHEN e."confirmedAt" IS NOT NULL AND e."unsubscribedAt" IS NULL AND e."run" = d."run"
                               AND e."offeredRun" IS DISTINCT FROM d."run" THEN e."joinedAt" ELSE now() END,
            "offeredRun" = CASE WHEN EXISTS (SELECT 1 FROM "Hold" h WHERE h."id" = e."claimHoldId" AND h."state" <> 'released')
                                THEN e."offeredRun" END
       FROM "Drop" d WHERE d."id" = e."dropId" AND e."tokenHash" = $1 RETURNING e."dropId"`,
    [sha256(token)],
  )
  if (!row) throw waitlistError('LINK_INVALID')
  return row
}
