import 'server-only'

/** An outside system may always fail on one object, but this many failures in a row mean that it is not available. */
const MANY_FAILURES = 3

/**
 * Calls `work`, which calls an outside system, for each item. An item on which the system fails does not keep the
 * others waiting, but several failures in a row end the work, because each further call would probably fail or wait as
 * long.
 * @param work throws only when the system failed
 * @param atOnce how many items are handled at the same time
 * @throws the last error of `work`, after the other items were handled
 */
export async function eachUntilOutage<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<unknown>,
  atOnce = 1,
): Promise<void> {
  let failures = 0
  let outage: unknown
  const waiting = [...items].values()
  const worker = async () => {
    for (const item of waiting) {
      try {
        await work(item)
        failures = 0
      } catch (error) {
        failures += 1
        outage = error
      }
      if (failures >= MANY_FAILURES) return
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (outage) throw outage
}
