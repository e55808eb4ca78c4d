import Stripe from 'stripe'
import { DELETE, GET as callApi, POST as postApi } from '@/app/api/sandbox/stripe/v1/[...path]/route'
import { POST as receiveWebhook } from '@/app/api/webhooks/stripe/route'
import { flushCollectors } from '@/lib/infra/collector'
import { keyedHash } from '@/lib/infra/crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { newId } from '@/lib/kernel/id'

afterAll(closeDatabase)

type Answer = { status: number; body: Record<string, unknown> }

async function deliver(event: Record<string, unknown>, secret: string): Promise<Answer> {
  const payload = JSON.stringify(event)
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret })
  const headers = { 'stripe-signature': signature }
  const url = 'http://localhost:3000/api/webhooks/stripe'
  const answer = await receiveWebhook(new Request(url, { method: 'POST', headers, body: payload }))
  return { status: answer.status, body: (await answer.json()) as Answer['body'] }
}

const secretOf = (name: 'secret' | 'connect') => `whsec_${keyedHash('sandbox-webhook', name)}`
const makeEvent = (members: Record<string, unknown> = {}) => ({
  id: newId('evt'),
  object: 'event',
  type: 'account.updated',
  account: 'acct_nobody',
  livemode: false,
  data: { object: { id: 'acct_nobody', object: 'account' } },
  ...members,
})

it('accepts events of both endpoints, and stores the account of each event', async () => {
  const ofAccount = makeEvent()
  expect(await deliver(ofAccount, secretOf('connect'))).toEqual({
    status: 200,
    body: { received: true, outcome: 'unknown' },
  })
  const ofPlatform = makeEvent({ type: 'customer.created', account: undefined })
  expect(await deliver(ofPlatform, secretOf('secret'))).toMatchObject({ status: 200, body: { outcome: 'ignored' } })
  // Events that need no handling are gathered for a second and stored together.
  await flushCollectors()
  const accounts = await db().webhookEvent.findMany({ where: { id: { in: [ofAccount.id, ofPlatform.id] } } })
  expect(accounts.map(({ account }) => account).sort()).toEqual(['acct_nobody', null])
})

it('responds to a wrong secret with one line that names both environment variables', async () => {
  const { status, body } = await deliver(makeEvent(), 'whsec_of_another_endpoint')
  expect(status).toBe(400)
  expect(body.message).toMatch(/^[^\n]*STRIPE_WEBHOOK_SECRET nor that of STRIPE_CONNECT_WEBHOOK_SECRET: copy [^\n]*$/)
})

// Stripe also sends test events to a live endpoint for connected accounts (docs.stripe.com/connect/webhooks).
it('ignores events of the other mode, but returns 200 so that Stripe does not send them again', async () => {
  const event = makeEvent({ livemode: true })
  expect(await deliver(event, secretOf('connect'))).toMatchObject({
    status: 200,
    body: { outcome: 'of the other mode' },
  })
  expect(await db().webhookEvent.findUnique({ where: { id: event.id } })).toBeNull()
})

describe("the stand-in's API for programs", () => {
  const client = (secret: string) =>
    new Stripe(secret, {
      maxNetworkRetries: 0,
      httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) => {
        const { pathname, search } = new URL(String(input))
        const request = new Request(`http://127.0.0.1:3000/api/sandbox/stripe${pathname}${search}`, init)
        return { GET: callApi, POST: postApi, DELETE }[request.method as 'GET' | 'POST' | 'DELETE'](request)
      }),
    })

  it('works with Stripe’s own client, with CRON_SECRET as the key', async () => {
    const stripe = client(env().cronSecret)
    const { id } = await stripe.accounts.create({ email: 'a@example.com' }, { idempotencyKey: newId('key') })
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ email: 'a@example.com' })
    expect(await stripe.accounts.del(id)).toMatchObject({ deleted: true })
    expect((await stripe.accounts.list({ limit: 5 })).data.map((account) => account.id)).not.toContain(id)
  })

  it('returns 401 for any other key', async () => {
    await expect(client('sk_test_guess').accounts.list()).rejects.toMatchObject({ statusCode: 401 })
  })
})
