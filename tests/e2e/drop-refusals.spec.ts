// Checks that invalid and forbidden calls for a drop are refused with the right error and do not change the drop.
import { expect } from '@playwright/test'
import { moveEnd, createSellerAndDrop, type Seller, type Shop, signUp } from '../support/e2e'
import { refusalOf } from '../support/refusal-of'
import { test } from '../support/test'

type Call = [method: string, path: string, body?: unknown]

const stateOf = (shop: Shop, dropId: number) =>
  shop.query('SELECT *, 0 AS "views" FROM "Drop" WHERE "id" = $1', [dropId])

function ask(
  shop: Shop,
  seller: Pick<Seller, 'cookie'>,
  dropId: number,
  [method, path, body]: Call,
): Promise<Response> {
  const headers = { cookie: seller.cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  return fetch(`${shop.url}/api/drops/${dropId}${path}`, init)
}

test('a relaunch that comes too early or has invalid values is refused', async ({ shop, seller, drop }) => {
  const relaunch = (body: unknown) => ask(shop, seller, drop.id, ['POST', '/relaunch', body])
  const before = await stateOf(shop, drop.id)
  const live = await refusalOf(await relaunch({ duration: 24 }))
  expect(live).toMatchObject({
    status: 403,
    code: 'STILL_LIVE',
    error: 'This drop is still live. You can relaunch it 24 hours after it ends.',
  })
  expect(await stateOf(shop, drop.id)).toEqual(before)

  await moveEnd(shop, drop.id, -3600)
  const ended = await stateOf(shop, drop.id)
  const early = await refusalOf(await relaunch({ duration: 24 }))
  expect(early).toMatchObject({ status: 403, code: 'TOO_EARLY' })
  expect(early.error).toMatch(/^2[23]h \d+m until relaunch\.$/)

  await moveEnd(shop, drop.id, -25 * 3600)
  // Otherwise the archive job could archive the drop during the refused calls, and its row would differ afterwards.
  await shop.query('UPDATE "Drop" SET "archivedAt" = "endTime", "isActive" = false WHERE "id" = $1', [drop.id])
  const ready = await stateOf(shop, drop.id)
  const bad: [body: unknown, field: string][] = [
    [{ duration: 25 }, 'duration'],
    [{ duration: '24.0' }, 'duration'],
    [{}, 'duration'],
    ...[0, -1, 1.5, 2 ** 31, '1e3', null].map((quantity): [unknown, string] => [
      { duration: 24, quantity },
      'quantity',
    ]),
    [{ duration: 24, priceCents: 1 }, 'priceCents'],
  ]
  for (const [body, field] of bad) {
    expect(await refusalOf(await relaunch(body)), JSON.stringify(body)).toMatchObject({ status: 400, field })
  }
  expect(await stateOf(shop, drop.id)).toEqual(ready)
  expect(ended).not.toEqual(ready)
  expect((await relaunch({ duration: 24 })).status).toBe(200)
})

test('a call for a drop of another seller returns 404, and 401 without a session', async ({ shop, drop }) => {
  const stranger = await signUp(shop, { plan: 'pro' })
  const before = await stateOf(shop, drop.id)
  const calls: Call[] = [
    ['POST', '/relaunch', { duration: 24 }],
    ['POST', '/end'],
    ['PATCH', '', { description: 'Mine now.' }],
    ['PATCH', '', { quantity: 1_000 }],
    ['GET', '/analytics'],
    ['DELETE', ''],
  ]
  for (const call of calls) {
    const what = call.slice(0, 2).join(' ')
    expect(await refusalOf(await ask(shop, stranger, drop.id, call)), what).toMatchObject({ status: 404 })
    expect(await refusalOf(await ask(shop, { cookie: '' }, drop.id, call)), what).toMatchObject({ status: 401 })
  }
  for (const id of [0, -1, 1.5, 2 ** 31, 2 ** 40]) {
    expect(await refusalOf(await ask(shop, stranger, id, ['DELETE', ''])), String(id)).toMatchObject({ status: 404 })
  }
  expect(await stateOf(shop, drop.id)).toEqual(before)
})

test('an edit with a forbidden field or an invalid value is refused and changes nothing', async () => {
  const { shop, seller, drop } = await createSellerAndDrop({ quantity: '5' })
  const before = await stateOf(shop, drop.id)
  const bad: [body: unknown, status: number, field: string][] = [
    [{ quantity: 4 }, 400, 'quantity'],
    ...[0, -1, 1.5, 2 ** 31, 'x'].map((quantity): [unknown, number, string] => [{ quantity }, 400, 'quantity']),
    [{ description: ' ' }, 400, 'description'],
    [{ description: 'x'.repeat(5_001) }, 400, 'description'],
    [{ price: '1' }, 400, 'price'],
    [{ endTime: '2030-01-01' }, 400, 'endTime'],
    [{ title: 'Other' }, 400, 'title'],
    [{ uploads: { image0: 'files/f_1.pdf' } }, 400, 'image0'],
  ]
  for (const [body, status, field] of bad) {
    const refusal = await refusalOf(await ask(shop, seller, drop.id, ['PATCH', '', body]))
    expect(refusal, JSON.stringify(body).slice(0, 60)).toMatchObject({ status, field })
  }
  expect(await stateOf(shop, drop.id)).toEqual(before)
})
