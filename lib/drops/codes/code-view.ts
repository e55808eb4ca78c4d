import { discountOf } from './code-rules'

export type DiscountCodeState = 'active' | 'usedUp' | 'over' | 'ended'

/** A discount code of a drop as the database returns it. */
export type DiscountCodeRow = {
  id: number
  code: string
  percent: number | null
  offCents: number | null
  maxUses: number | null
  perBuyer: number | null
  endsAt: Date | null
  endedAt: Date | null
  used: number
  discountedCents: number
  createdAt: Date
  /** The price of the drop, and the database's time. */
  priceCents: number
  now: Date
}

/** A discount code as its seller sees it. */
export type DiscountCodeView = {
  id: number
  code: string
  percent: number | null
  offCents: number | null
  /** What buyers pay for one unit with this code. */
  unitPriceCents: number
  maxUses: number | null
  perBuyer: number | null
  endsAt: string | null
  /** The number of open and sold orders that use the code. */
  used: number
  /** The sum that the code took off sold orders, in cents, before refunds. */
  discountedCents: number
  state: DiscountCodeState
  createdAt: string
}

/** Returns the state of a code. A code that its seller ended is always 'ended', even if it is also over or used up. */
export function codeState(
  row: Pick<DiscountCodeRow, 'endedAt' | 'endsAt' | 'maxUses' | 'used' | 'now'>,
): DiscountCodeState {
  if (row.endedAt !== null) return 'ended'
  if (row.endsAt !== null && row.endsAt <= row.now) return 'over'
  return row.maxUses !== null && row.used >= row.maxUses ? 'usedUp' : 'active'
}

/** Makes the seller's view of a discount code. `unitPriceCents` is the price of one unit with the code. */
export function toDiscountCodeView(row: DiscountCodeRow): DiscountCodeView {
  const { id, code, percent, offCents, maxUses, perBuyer, used, discountedCents } = row
  return {
    id,
    code,
    percent,
    offCents,
    maxUses,
    perBuyer,
    used,
    discountedCents,
    unitPriceCents: row.priceCents - discountOf(row.priceCents, row),
    endsAt: row.endsAt?.toISOString() ?? null,
    state: codeState(row),
    createdAt: row.createdAt.toISOString(),
  }
}
