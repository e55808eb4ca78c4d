/** The numbers of an order of a numbered drop (docs/product.md#numbered-editions). */
export type EditionView = {
  run: number
  /** The numbers of the order's units in ascending order, including retired numbers. */
  numbers: number[]
  /** The numbers of refunded units, which nobody else gets. */
  retired: number[]
  /** How many numbers the run has given; null until the run has ended and nobody can get another number. */
  total: number | null
  /** Whether the edition is open, so that nobody can know the total before the end (docs/product.md#open-editions). */
  isOpen?: boolean
}

/** The numbers of one run of a numbered drop, without their buyers. */
export type EditionRunView = {
  run: number
  given: number
  retired: number[]
  /** Whether the run has given its last number. */
  isComplete: boolean
}
