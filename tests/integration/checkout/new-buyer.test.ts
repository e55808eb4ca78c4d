import { startCheckout } from '@/lib/checkout/start-checkout'
import type { Context } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { makeDrop, visitorFrom } from '@/tests/support/factories'

afterAll(closeDatabase)

/** Starts a checkout, and returns the names of its statements. */
async function statementsOf(buyer: { dropId: number; buyerToken: string; isNewBuyer: boolean }): Promise<string[]> {
  const names: string[] = []
  const here = visitorFrom('203.0.113.141')
  const sql = new Proxy(here.sql, {
    apply(target, self, given: Parameters<Context['sql']>) {
      names.push(given[0])
      return Reflect.apply(target, self, given) as unknown
    },
  })
  await startCheckout({ ...here, sql }, { ...buyer, quantity: 1 })
  return names
}

it('the checkouts of a browser are read only if the browser has pressed Buy before', async () => {
  const drop = await makeDrop({ quantity: 10, maxPerBuyer: 3 })
  const buyer = { dropId: drop.id, buyerToken: newSecret() }
  const first = await statementsOf({ ...buyer, isNewBuyer: true })
  expect(first).not.toEqual(expect.arrayContaining(['buyers-checkouts']))
  expect(first).not.toEqual(expect.arrayContaining(['bought-by-browser']))
  expect(await statementsOf({ ...buyer, isNewBuyer: false })).toEqual(expect.arrayContaining(['buyers-checkouts']))
})
