import { newMemory, open, pay } from './buyer-verbs'
import type { Step } from './plan-storm'
import type { World } from './start-world'

/** No buyer of the storm has this number. */
const BUYER = 200
/** The index of a card whose payments are neither declined nor disputed. */
const CARD = 3

/**
 * Makes a buyer's step.
 * @param pick selects the buyer's browser. It must not be a multiple of 6 or 7, which have meanings of their own.
 */
const stepAt = (drop: number, pick: number): Step => ({
  ...{ atMs: 0, verb: 'open', app: pick % 2 === 0 ? 0 : 1, drop, buyer: BUYER, quantity: 1, card: CARD, pick },
})

/**
 * Makes the last purchases of a storm, after its faults have stopped. A buyer with two browsers tries to exceed the
 * limit per buyer of each drop that has one. Then a checkout of each drop is opened and left unpaid. The random steps
 * of a short storm do neither reliably, so a product that ignored the limit or ended no checkouts could pass.
 */
export async function makeLastPurchases(world: World): Promise<void> {
  for (const [drop, { maxPerBuyer }] of world.drops.entries()) {
    if (maxPerBuyer === null) continue
    const memory = newMemory()
    for (const pick of [1, 2]) {
      const step = stepAt(drop, pick)
      await open(world, step, memory, { quantity: maxPerBuyer })
      await pay(world, step, memory)
    }
  }
  await Promise.all(world.drops.map((_, drop) => open(world, stepAt(drop, 3), newMemory())))
}
