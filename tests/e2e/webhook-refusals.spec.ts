// Webhooks with an invalid signature or a malformed body are refused (docs/contract.md#errors) and change nothing.
import { expect } from '@playwright/test'
import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { given, postJson, testedApp, uniqueName } from '../support/e2e'
import { refusalOf } from '../support/refusal-of'
import { test } from '../support/test'

test('webhooks with an invalid signature or a malformed body are refused and change nothing', async () => {
  const { url, query } = testedApp()
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
    ['an hour old', at(3_600), payload],
    ['from the future', at(-3_600), payload],
    ['one second too old', at(301), payload],
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
  // The same event with a valid signature is accepted, so the requests above with an invalid signature were refused
  // because of that signature.
  const taken = await postJson(`${url}/api/webhooks/stripe`, payload, { 'stripe-signature': at(0) })
  expect(taken.status).toBe(200)
})
