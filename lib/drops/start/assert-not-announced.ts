import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { LockedDrop } from '../guards'
import { dropError } from '../messages'

/**
 * Refuses to delete a drop whose start was announced by email, until ten minutes after the start was canceled. In these
 * minutes the same people are emailed about the cancellation. Those emails are queued from the drop's row, so without
 * the row they would wait for a start that never comes. Call this function after recallStartMails(), which removes the
 * reminders that were not sent.
 * @throws START_ANNOUNCED
 */
export async function assertNotAnnounced(tx: Pick<Context, 'sql'>, drop: Pick<LockedDrop, 'id'>): Promise<void> {
  const [row] = await tx.sql<{ isAnnounced: boolean }>(
    'is-start-announced',
    `SELECT EXISTS (SELECT FROM "WaitlistEntry" e WHERE e."dropId" = d."id" AND e."waitsForStart" AND e."notifiedRun" = d."run"
                       AND e."unsubscribedAt" IS NULL)
         OR EXISTS (SELECT FROM "FollowerNotice" n
                     WHERE n."dropId" = d."id" AND n."kind" IN ('scheduled', 'live') AND n."lastFollowerId" > 0) AS "isAnnounced"
       FROM "Drop" d WHERE d."id" = :dropId AND (d."startedAt" > now() OR d."startedAt" >= d."endTime")
        AND d."endTime" > now() - interval '10 minutes'`,
    { dropId: drop.id },
  )
  if (row?.isAnnounced) throw dropError('START_ANNOUNCED')
}
