import { countryWithArticle } from '@/lib/kernel/country'
import { type ItemCondition, itemConditionLabels } from '@/lib/kernel/item-condition'
import { formatDate } from '@/lib/kernel/time'
import { MAX_SHIP_DAYS } from './ship-rules'

export const shipTexts = {
  fromInvalid: 'Choose the country that you ship from.',
  withinInvalid: `Enter 1 to ${MAX_SHIP_DAYS} days, or leave the field empty.`,
  conditionLabel: 'Condition',
  fromLabel: 'Ships from',
  withinLabel: 'Days to ship',
  withinHint:
    "We count from the end of the drop. If you ship late, the buyer can wait or get a refund. You can't change this after the start.",
} as const

/**
 * Says in the create form what condition the goods are in, unless they are new, and how parcels are sent: "Used. Ships
 * from Germany within 5 days, with a note".
 */
export function shipLine({
  condition,
  shipsFrom,
  shipsWithin,
  note,
}: {
  condition: ItemCondition
  shipsFrom: string
  shipsWithin: string
  note: string
}): string {
  const from = shipsFrom === '' ? '' : ` from ${countryWithArticle(shipsFrom)}`
  const days = shipsWithin.trim()
  const within = days === '' ? '' : ` within ${days} ${days === '1' ? 'day' : 'days'}`
  const promise = from || within ? `Ships${from}${within}` : 'No shipping promise'
  const goods = condition === 'new' ? '' : `${itemConditionLabels[condition]}. `
  return note.trim() === '' ? goods + promise : `${goods}${promise}, with a note`
}

/**
 * Returns the promise about a parcel in words: "Ships from Germany by Nov 30, 2026." Returns null when the seller
 * promised nothing.
 */
export function promiseText({
  shipsFrom,
  shipsBy,
}: {
  shipsFrom: string | null
  shipsBy: string | null
}): string | null {
  const from = shipsFrom === null ? '' : ` from ${countryWithArticle(shipsFrom)}`
  const by = shipsBy === null ? '' : ` by ${formatDate(shipsBy)}`
  return from || by ? `Ships${from}${by}.` : null
}
