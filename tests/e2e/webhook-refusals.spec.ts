// Webhooks that Stripe did not sign are refused (docs/contract.md#errors), and change nothing.
import { expect, test } from '@playwright/test'
import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { given, postJson, theShop, uniqueName } from '../support/e2e'
import { refusalOf } from '../support/refusals'

test('webhooks that are not from Stripe change nothing', async () => {
  const { url, query } = theShop()
  const id = `evt_${uniqueName('forged')}`
  const payload = JSON.stringify({
    id,
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: { id: 'cs_test_x', object: 'checkout.session' } },
  })
  const authSecret = given('E2E_AUTH_SECRET')
  const secret = `whsec_${createHmac('sha256', authSecret).update('sandbox-webhook\0secret').digest('hex')}`
  const at = (secondsAgo: number, of = payload, key = secret) =>
    Stripe.webhooks.generateTestHeaderString({
      payload: of,
      secret: key,
      timestamp: Math.floor(Date.now() / 1000) - secondsAgo,
    })
  const cases: [what: string, signature: string, body: string][] = [
    ['unsigned', '', payload],
    ['garbage', 't=1,v1=zz', payload],
    ['another secret', at(0, payload, 'whsec_another'), payload],
    ['altered', at(0), payload.replace('cs_test_x', 'cs_test_y')],
    ['ancient', at(3_600), payload],
    ['from the future', at(-3_600), payload],
    ['a little ancient', at(301), payload],
    ['signed nonsense', at(0, 'not json'), 'not json'],
    ...['null', '[]', '{}', '"x"', '{"id":1}', `{"id":"${id}","type":"charge.refunded","data":{}}`].map(
      (body): [string, string, string] => [`signed ${body}`, at(0, body), body],
    ),
    ['an old scheme only', at(0).replace('v1=', 'v0='), payload],
  ]
  for (const [what, signature, body] of cases) {
    const headers: Record<string, string> = signature ? { 'stripe-signature': signature } : {}
    const refusal = await refusalOf(await postJson(`${url}/api/webhooks/stripe`, body, headers))
    expect(refusal.status, what).toBe(400)
  }
  const huge = 'x'.repeat(1_100_000)
  const tooLarge = await postJson(`${url}/api/webhooks/stripe`, huge, { 'stripe-signature': at(0, huge) })
  expect((await refusalOf(tooLarge)).status).toBe(413)
  expect(await query('SELECT "id" FROM "WebhookEvent" WHERE "id" = $1', [id])).toEqual([])
  // The same event with a valid signature is accepted, so the signature is what was refused above.
  const taken = await postJson(`${url}/api/webhooks/stripe`, payload, { 'stripe-signature': at(0) })
  expect(taken.status).toBe(200)
})
