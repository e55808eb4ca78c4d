// The names, statuses and texts that the contract fixes for choices, starts, editions, limits and codes
// (docs/contract.md), as a program meets them over HTTP.
import { expect } from '@playwright/test'
import { createDrop, freshAddress, postDrop, postJson, signUp, testedApp, toForm } from '../support/e2e'
import { test } from '../support/test'

const endpoints = ['/api/checkout/create-session', '/api/create-payment-intent'] as const
const order = async (endpoint: string, body: object) => {
  const answer = await postJson(testedApp().url + endpoint, body, { 'x-forwarded-for': freshAddress() })
  return { status: answer.status, ...((await answer.json()) as { error?: string }) }
}
const read = async (identifier: string) =>
  (await (await fetch(`${testedApp().url}/api/drop/${identifier}`)).json()) as Record<string, unknown>

test('a drop with sizes is named, chosen and sold out as the contract says', async () => {
  const seller = await signUp(testedApp())
  const options = JSON.stringify([
    { value: 'S', quantity: 1 },
    { value: 'M', quantity: 2 },
  ])
  const drop = await createDrop(testedApp(), seller, { optionName: 'Size', options })
  expect(await read(drop.identifier)).toMatchObject({
    state: 'live',
    quantity: 3,
    startsAt: drop.startedAt,
    option: {
      name: 'Size',
      values: [
        { value: 'S', left: 1, inCheckout: 0 },
        { value: 'M', left: 2, inCheckout: 0 },
      ],
    },
    facts: [
      { kind: 'run', text: 'Run 1', at: drop.startedAt },
      { kind: 'unchanged', text: expect.any(String), at: null },
    ],
  })
  await testedApp().query(`UPDATE "OptionValue" SET "sold" = 1 WHERE "dropId" = $1 AND "value" = 'S'`, [drop.id])
  await testedApp().query('UPDATE "Drop" SET "sold" = 1 WHERE "id" = $1', [drop.id])
  for (const endpoint of endpoints) {
    expect(await order(endpoint, { dropId: drop.id })).toMatchObject({ status: 400, error: 'Please choose a Size.' })
    expect(await order(endpoint, { dropId: drop.id, selectedVariants: { Size: 'S' } })).toMatchObject({
      status: 409,
      error: 'S is sold out.',
    })
    expect(await order(endpoint, { dropId: drop.id, selectedVariants: { Size: 'M' }, code: 'NO5UCH' })).toMatchObject({
      status: 400,
      error: 'This code is not valid.',
    })
  }
})

test('a start ahead is upcoming and not for sale, and a start of half a minute ago is now', async () => {
  const seller = await signUp(testedApp())
  const startsAt = new Date(Date.now() + 3 * 3_600_000).toISOString()
  const drop = await createDrop(testedApp(), seller, { startsAt })
  expect(await read(drop.identifier)).toMatchObject({ state: 'upcoming', startsAt })
  for (const endpoint of endpoints) {
    expect(await order(endpoint, { dropId: drop.id })).toMatchObject({
      status: 409,
      error: expect.stringMatching(/^Starts \w{3}, \w{3} \d{1,2}, \d{1,2}:\d\d [AP]M UTC\.$/),
    })
  }
  const other = await signUp(testedApp())
  const justNow = new Date(Date.now() - 30_000).toISOString()
  expect(await createDrop(testedApp(), other, { startsAt: justNow })).toMatchObject({ state: 'live' })
})

test('the fields edition and perBuyer do what their other names do, and refuse anything else', async () => {
  const open = await createDrop(testedApp(), await signUp(testedApp()), { edition: 'open', quantity: '40' })
  expect(open).toMatchObject({ isOpenEdition: true, quantity: 40 })
  const seller = await signUp(testedApp())
  const numbered = await createDrop(testedApp(), seller, { edition: 'numbered', perBuyer: '2' })
  expect(numbered).toMatchObject({ isNumbered: true, isOpenEdition: false, maxPerBuyer: 2 })
  for (const endpoint of endpoints) {
    const tooMany = await order(endpoint, { dropId: numbered.id, quantity: 3 })
    if (endpoint.includes('session')) expect(tooMany).toMatchObject({ status: 409, error: 'At most 2 per person.' })
  }
  const another = await signUp(testedApp())
  for (const [field, value] of [
    ['edition', 'limited'],
    ['perBuyer', '11'],
    ['perBuyer', '0'],
  ] as const) {
    const answer = await postDrop(
      testedApp(),
      another,
      toForm({ title: 'Mug', description: 'x', price: '5', [field]: value }, []),
    )
    expect([answer.status, ((await answer.json()) as { field?: string }).field]).toEqual([400, field])
  }
})
