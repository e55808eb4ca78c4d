// Calls of sellers that each call Stripe are limited for each account, because Stripe limits the calls of the whole
// platform (ADR 0045).
import { GET as openBilling } from '@/app/(seller)/billing/route'
import { POST as connect } from '@/app/api/payouts/connect/route'
import { closeDatabase } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { newSecret } from '@/lib/kernel/id'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { requestWith, signIn } from '@/tests/support/signed-request'

afterAll(closeDatabase)

const noParams = { params: Promise.resolve({}) }

it('an account may open the billing page and connect payouts 60 times in ten minutes together, from any network', async () => {
  const cookie = await signIn((await makeSeller()).id)
  const other = await signIn((await makeSeller()).id)
  const statuses: number[] = []
  for (let round = 0; round < 62; round += 1) {
    const headers = { 'x-forwarded-for': `10.44.0.${round}` }
    const request = requestWith(cookie, '/billing', { method: 'GET', headers })
    statuses.push((await openBilling(request, noParams)).status)
  }
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 303))
  expect(statuses.slice(60)).toEqual([429, 429])
  const refused = await connect(requestWith(cookie, '/api/payouts/connect'), noParams)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await openBilling(requestWith(other, '/billing', { method: 'GET' }), noParams)).status).toBe(303)
})

it('an open payment is read again from Stripe at most 60 times in ten minutes', async () => {
  const drop = await makeDrop({ quantity: 2 })
  const buyer = { dropId: drop.id, buyerToken: newSecret() }
  await startEmbeddedCheckout(visitor(), buyer)
  const { reads: before } = await standIn()!.traffic()
  const codes: string[] = []
  for (let round = 0; round < 63; round += 1) {
    const ended = await startEmbeddedCheckout(visitor(), buyer).catch((error: unknown) => error as { code: string })
    if ('code' in ended) codes.push(ended.code)
  }
  expect(codes).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
  expect((await standIn()!.traffic()).reads - before).toBe(60)
})
