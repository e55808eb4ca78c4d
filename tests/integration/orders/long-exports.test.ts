// The exports of a shop with more than ten thousand sales have all of them, and are sent in parts. A file that is built
// as a whole takes gigabytes of memory for a large shop, and everyone's requests wait while it is written.
import { GET as exportOrders } from '@/app/(seller)/orders/export.csv/route'
import { GET as statement } from '@/app/(seller)/payouts/statement.csv/route'
import { GET as exportAccount } from '@/app/api/user/export/route'
import { closeDatabase, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'
import { requestWith, signIn } from '@/tests/support/signed-request'

const SALES = 10_050
/** Far more than a batch of rows has, and far less than all rows together have. */
const MOST_CHARACTERS = 5_000_000

let cookie: string

beforeAll(async () => {
  const seller = await makeSeller()
  const [order] = await makePaidOrders(seller, [{}])
  const transfer = await db().transfer.create({
    data: { id: newId('tr'), orderId: order!.id, sellerId: seller.id, amountCents: 2200, dueAt: new Date() },
  })
  await db().follower.createMany({
    data: Array.from({ length: 3 }, (_, at) => ({
      sellerId: seller.id,
      email: `fan${at}@example.com`,
      mailbox: `fan${at}@example.com`,
      tokenHash: `fan${at}`,
      page: '/',
      consentText: 'Yes "please"\nand thanks',
      confirmedAt: new Date(),
    })),
  })
  const copy = (table: string, id: string, changed: string) =>
    db().$executeRawUnsafe(
      `INSERT INTO "${table}" SELECT (jsonb_populate_record(r, jsonb_build_object('id', r."id" || n, ${changed}))).*
         FROM "${table}" r, generate_series(2, ${SALES}) n WHERE r."id" = $1`,
      id,
    )
  // All of them have the same time, so the id decides what comes next.
  await copy('Hold', order!.holdId, `'buyerKey', r."buyerKey" || n`)
  await copy('Order', order!.id, `'holdId', r."holdId" || n, 'token', r."token" || n`)
  await copy('Transfer', transfer.id, `'orderId', r."orderId" || n`)
  cookie = await signIn(seller.id)
}, 120_000)
afterAll(closeDatabase)

/** Returns the parts in which a file is sent. */
async function partsOf(route: typeof statement, path: string): Promise<string[]> {
  const answer = await route(requestWith(cookie, path, { method: 'GET' }), { params: Promise.resolve({}) })
  expect(answer.status).toBe(200)
  const decoder = new TextDecoder()
  const parts: string[] = []
  for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
    parts.push(decoder.decode(part, { stream: true }))
  }
  return parts
}

const longest = (parts: readonly string[]) => Math.max(...parts.map(({ length }) => length))
const linesOf = (parts: readonly string[]) => parts.join('').trim().split('\r\n')

it('the payout statement has every sale, each once', async () => {
  const lines = linesOf(await partsOf(statement, '/payouts/statement.csv'))
  expect(lines).toHaveLength(SALES + 1)
})

it("the export of a seller's data has every order and every follower, and is sent in parts", async () => {
  const parts = await partsOf(exportAccount, '/api/user/export')
  const { account, drops, orders, followers } = JSON.parse(parts.join('')) as Record<string, { id: string }[]>
  expect(new Set(orders!.map(({ id }) => id)).size).toBe(SALES)
  expect(orders![0]).toMatchObject({ keys: [] })
  expect(followers).toHaveLength(3)
  expect(followers![0]).toMatchObject({ agreedTo: 'Yes "please"\nand thanks' })
  expect(drops).toHaveLength(1)
  expect(account).toMatchObject({ username: expect.any(String) })
  expect(longest(parts)).toBeLessThan(MOST_CHARACTERS)
})

it.each([
  ['/api/user/export?format=csv', exportAccount],
  ['/orders/export.csv', exportOrders],
])('%s has every order and is sent in parts', async (path, route) => {
  const parts = await partsOf(route, path)
  expect(linesOf(parts)).toHaveLength(SALES + 1)
  expect(longest(parts)).toBeLessThan(2_000_000)
})
