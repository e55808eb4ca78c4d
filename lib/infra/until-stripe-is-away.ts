import 'server-only'

/** Stripe may always fail on one object, but this many failures in a row mean that Stripe is not available. */
const MANY_FAILURES = 3

/**
 * Calls `work` for each item, one after the other. An item on which Stripe fails does not keep the others waiting, but
 * several failures in a row end the work, because each further call would probably fail or wait as long.
 * @param work throws only when Stripe is not available
 * @throws the last error of `work`, after the other items were handled
 */
export async function untilStripeIsAway<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  let failures = 0
  let outage: unknown
  for (const item of items) {
    try {
      await work(item)
      failures = 0
    } catch (error) {
      failures += 1
      outage = error
      if (failures >= MANY_FAILURES) break
    }
  }
  if (outage) throw outage
}
