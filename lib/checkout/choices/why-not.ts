import 'server-only'
import { countRefusal } from '@/lib/drops/analytics/count-refusal'
import { dropState } from '@/lib/drops/rules'
import type { DropRow } from '@/lib/drops/view'
import { countHold } from '@/lib/infra/metrics'
import type { AppError } from '@/lib/kernel/app-error'
import { freeUnits } from '@/lib/stock/rules'
import { whyNotValue } from './choose-value'
import { notStartedText, checkoutError } from '../messages'

/**
 * Returns why a drop, as it was read, cannot provide that many units; null if it can. Because of this check, a crowd at
 * a sold-out drop is refused without a write. The update that takes the units makes the final decision.
 */
export function whyNot(drop: DropRow, quantity: number, valueId: number | null): AppError | null {
  const closed = whyClosed(drop)
  if (closed) return closed
  const refused = whyNotValue(drop, quantity, valueId)
  if (refused || (drop.option && !drop.isOpenEdition)) return refused
  const available = freeUnits(drop)
  if (available >= quantity) return null
  return checkoutError(available > 0 ? 'NOT_ENOUGH_LEFT' : 'ALL_IN_CHECKOUT')
}

/** Returns why a drop, as it was read, is not on sale or has no unit left; null if it is and has. */
export function whyClosed(drop: DropRow): AppError | null {
  const state = dropState(drop, drop.now)
  if (state === 'ended') return checkoutError('DROP_ENDED')
  if (state === 'upcoming') return checkoutError('DROP_SCHEDULED', { text: notStartedText(drop.startedAt) })
  if (state === 'paused') return checkoutError('DROP_PAUSED')
  return state === 'soldOut' ? checkoutError('SOLD_OUT') : null
}

/**
 * Counts a refusal in the metrics, and for the seller if units were left, and returns its error. The seller sees
 * refusals of buyers who got no hold although unsold units were left.
 */
export function countedRefusal(drop: DropRow, error: AppError): AppError {
  if (!['ALL_IN_CHECKOUT', 'OPTION_IN_CHECKOUT', 'NOT_ENOUGH_LEFT', 'WORK_NEEDED'].includes(error.code)) return error
  countRefusal(drop.id)
  countHold(error.code === 'WORK_NEEDED' ? 'work' : 'refused')
  return error
}
