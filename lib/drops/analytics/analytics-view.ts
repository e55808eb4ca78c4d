import type { VisitSource } from '../rules'
import type { OptionValueRow } from '../view'

/** The steps from a view to a sale: views, presses on Buy, checkouts, and checkouts that were paid. */
export type SaleSteps = { views: number; taps: number; holds: number; paid: number }

/**
 * The data of Live Analytics (docs/product.md#live-analytics): the totals of all runs, and the current run by hour and
 * by the source of the visits.
 */
export type AnalyticsView = {
  dropId: number
  views: number
  purchases: number
  /** Purchases divided by views, such as "12.5%". */
  conversion: string
  revenue: string
  revenueCents: number
  run: SaleSteps
  /**
   * Counts of the current run. `open` counts checkouts that are open, and `expired` those that ended because their
   * buyer did not pay. `refused` counts presses on Buy that got no units although some were unsold, or after which
   * the browser had to do work first.
   */
  checkouts: { open: number; expired: number; refused: number }
  /** Whether the values have no stock of their own, so that the quantity of each is the cap. */
  isOpenEdition: boolean
  /** The stock of each value of the drop's option in the current run. Empty without an option. */
  values: Omit<OptionValueRow, 'id'>[]
  hours: (SaleSteps & { at: string })[]
  sources: (SaleSteps & { source: VisitSource })[]
  serverTime: string
}
