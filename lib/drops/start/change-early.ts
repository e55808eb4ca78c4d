import 'server-only'
import type { Context } from '@/lib/infra/context'
import { noticeKeySql } from '@/lib/notifications/notice-key'
import { proposedEarlyUnits, earlyOpensAt } from './early-rules'
import { dropError } from '../messages'

/** The columns of a drop with or without early access. */
export type EarlyColumns = { earlyMinutes: number | null; earlyUnits: number | null }

/** The fields about early access. `null` turns it off, and `undefined` leaves it as it is. */
export type EarlyAccessInput = { earlyMinutes?: number | null | undefined; earlyUnits?: number | undefined }

/**
 * Returns early access for a new drop of `quantity` units.
 * @throws EARLY_NEEDS_START, EARLY_OPEN_EDITION, EARLY_ONE_UNIT, EARLY_TOO_MANY
 */
export function chooseEarly(
  {
    earlyMinutes,
    earlyUnits,
    startsAt,
    isOpenEdition,
  }: EarlyAccessInput & { startsAt?: string | undefined; isOpenEdition: boolean },
  quantity: number,
): EarlyColumns {
  if (!earlyMinutes) return { earlyMinutes: null, earlyUnits: null }
  if (startsAt === undefined) throw dropError('EARLY_NEEDS_START')
  if (isOpenEdition) throw dropError('EARLY_OPEN_EDITION')
  return withUnits(earlyMinutes, earlyUnits ?? proposedEarlyUnits(quantity), quantity)
}

/**
 * Returns the early access of a scheduled drop after an edit. It is stored as minutes before the start, so moving the
 * start needs no further change. An edit that starts the drop now turns it off.
 * @param after.quantity the units after the edit
 * @throws EARLY_OPEN_EDITION, EARLY_ONE_UNIT, EARLY_TOO_MANY
 */
export function changeEarly(
  drop: EarlyColumns & { isOpenEdition: boolean },
  fields: EarlyAccessInput & { startsAt?: string | undefined },
  after: { quantity: number },
): EarlyColumns {
  const earlyMinutes = fields.earlyMinutes === undefined ? drop.earlyMinutes : fields.earlyMinutes
  if (earlyMinutes === null || fields.startsAt === 'now') return { earlyMinutes: null, earlyUnits: null }
  if (drop.isOpenEdition) throw dropError('EARLY_OPEN_EDITION')
  const units = fields.earlyUnits ?? drop.earlyUnits ?? proposedEarlyUnits(after.quantity)
  return withUnits(earlyMinutes, units, after.quantity)
}

function withUnits(earlyMinutes: number, earlyUnits: number, quantity: number): EarlyColumns {
  if (quantity === 1) throw dropError('EARLY_ONE_UNIT')
  if (earlyUnits >= quantity) throw dropError('EARLY_TOO_MANY')
  return { earlyMinutes, earlyUnits }
}

/**
 * Refuses early access that would have opened before now.
 * @throws EARLY_PAST
 */
export function assertEarlyAhead(startedAt: Date, earlyMinutes: number | null, now: Date): void {
  const opensAt = earlyOpensAt({ startedAt, earlyMinutes })
  if (opensAt && opensAt <= now) throw dropError('EARLY_PAST')
}

/**
 * Refuses a new start or new minutes of early access once a follower has been emailed a personal link, because that
 * email names the times and no later email would correct them. Call it with the drop's row locked.
 * @throws EARLY_SENT
 */
export async function assertLinksUnsent(
  tx: Pick<Context, 'sql'>,
  drop: EarlyColumns & { id: number },
  { startsAt, earlyMinutes }: EarlyAccessInput & { startsAt?: string | undefined },
): Promise<void> {
  if (drop.earlyMinutes === null || (startsAt === undefined && earlyMinutes === undefined)) return
  const [mail] = await tx.sql<{ isSent: boolean }>(
    'early-link-sent',
    `SELECT EXISTS (SELECT FROM "EarlyLink" l JOIN "OutboxMail" m ON m."dedupeKey" = ${noticeKeySql('live', 'l."dropId"', 'l."followerId"')}
              WHERE l."dropId" = :dropId AND (m."sentAt" IS NOT NULL OR m."attempts" > 0)) AS "isSent"`,
    { dropId: drop.id },
  )
  const field = startsAt === undefined ? 'earlyMinutes' : 'startsAt'
  if (mail?.isSent) throw dropError('EARLY_SENT', { field })
}
