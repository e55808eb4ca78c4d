export type SellerTaskKind = 'dispute' | 'inquiry' | 'refund' | 'late' | 'ship'

/** Something that a seller has to do about orders. */
export type SellerTaskView = {
  kind: SellerTaskKind
  /** How many orders this task is about: one, or all orders of this kind that have no task of their own. */
  count: number
  /** The order that the task is about, or the most urgent one of several. */
  orderId: string
  title: string
  imageSrc: string | null
  buyerName: string | null
  /**
   * The time of the bank's deadline, of the refund request, or by which the parcel has to be shipped; null when it is
   * not known.
   */
  at: string | null
  /** The day of `at` in the seller's time zone. */
  day: string | null
}
