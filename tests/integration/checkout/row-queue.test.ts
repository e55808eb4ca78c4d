import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { queueForRow, rowQueueLengths } from '@/lib/infra/queue-for-row'
import { newSecret } from '@/lib/kernel/id'
import { findDropOnSale } from '@/lib/checkout/choices/find-drop-on-sale'
import { lookAt } from '@/lib/checkout/hold/latest-look'
import { startCheckout } from '@/lib/checkout/start-checkout'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { makeDrop, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

/** Occupies all four places in the queue of a drop with statements that hang. @returns a function that ends them */
function hangStatements(dropId: number): () => Promise<unknown> {
  let end = () => {}
  const hanging = new Promise<void>((resolve) => (end = resolve))
  const runs = Array.from({ length: 4 }, () => queueForRow(`drop-${dropId}`, () => hanging))
  return () => {
    end()
    return Promise.all(runs)
  }
}

/** Runs `work`, and returns the highest number of statements that waited in the row queues during it. */
async function mostWaiting(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  const look = () => (most = Math.max(most, rowQueueLengths().waiting))
  const looking = setInterval(look, 1)
  const working = work()
  look()
  await working.finally(() => clearInterval(looking))
  return most
}

it('settles a payment without the queue, and gives a new buyer a hold, while every place in the queue of the drop hangs', async () => {
  const drop = await makeDrop({ quantity: 2 })
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  const end = hangStatements(drop.id)
  try {
    expect(await mostWaiting(() => settleCheckout(systemContext('test'), sessionId))).toBe(0)
    expect(await mostWaiting(() => openCheckout(drop.id))).toBe(1)
    expect(await db().drop.findUnique({ where: { id: drop.id } })).toMatchObject({ sold: 1, held: 1 })
  } finally {
    await end()
  }
  expect(rowQueueLengths()).toMatchObject({ running: 0, waiting: 0 })
})

/**
 * Lets a buyer wait in the queue, reads the drop for another buyer while `held` units are in checkout, and then sets
 * the units in checkout back to none. @returns the outcome of the buyer who waited
 */
async function buyWhileAnotherLooks({ quantity, held }: { quantity: number; held: number }) {
  const drop = await makeDrop({ quantity })
  const end = hangStatements(drop.id)
  // openCheckout() would do a proof of work and try again.
  const bought = startCheckout(visitor(), { dropId: drop.id, quantity: 1, buyerToken: newSecret() }).then(
    () => 'held',
    (error: unknown) => (error as { code: string }).code,
  )
  while (rowQueueLengths().waiting === 0) await new Promise<void>((resolve) => setImmediate(resolve))
  await db().drop.update({ where: { id: drop.id }, data: { held } })
  await lookAt(drop.id, () => findDropOnSale(visitor(), drop.id))
  await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
  await end()
  return bought
}

it('a waiting buyer is refused when another buyer has read meanwhile that no unit is free', async () => {
  expect(await buyWhileAnotherLooks({ quantity: 3, held: 3 })).toBe('ALL_IN_CHECKOUT')
})

it('a waiting buyer still gets a unit when another buyer has read meanwhile that some are free', async () => {
  expect(await buyWhileAnotherLooks({ quantity: 3, held: 2 })).toBe('held')
})

it('closes idle connections before the networks of hosts drop them, and probes a connection after 30 idle seconds', () => {
  // node-postgres keeps the settings of its pool in `options`.
  const { options } = pool()
  expect(options.idleTimeoutMillis).toBeLessThan(4 * 60_000)
  expect(options).toMatchObject({ keepAlive: true, keepAliveInitialDelayMillis: 30_000 })
})
