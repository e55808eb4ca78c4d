import type Stripe from 'stripe'
import { createWorld, drop, PAYS, payJson, refusalOf, SECRET_KEY, sdkFor, shipped, type World } from './stripe-support'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

async function paidSession(params: Stripe.Checkout.SessionCreateParams = drop): Promise<Stripe.Checkout.Session> {
  const session = await world.stripe.checkout.sessions.create(params)
  const response = await payJson(world.standIn, session.url, { email: 'buyer@example.com', cardNumber: PAYS })
  expect(response.status).toBe(303)
  // Stripe reports the fee of a payment a moment later.
  await world.standIn.settleDue()
  return world.stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge.balance_transaction', 'line_items.data.price.product'],
  })
}

function expandedCharge(session: Stripe.Checkout.Session) {
  const intent = session.payment_intent as Stripe.PaymentIntent
  const charge = intent.latest_charge as Stripe.Charge
  return { intent, charge, movement: charge.balance_transaction as Stripe.BalanceTransaction }
}

async function count(table: string, where = 'true'): Promise<number> {
  const { rows } = await world.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${table}" WHERE ${where}`)
  return rows[0]?.n ?? -1
}

/** Calls the API without the SDK, for requests that the SDK's types forbid, and for tests that read the headers. */
async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await world.standIn.api(
    new Request(`https://api.stripe.com${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${SECRET_KEY}`,
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body,
    }),
  )
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as { id: string; error: { code?: string } },
  }
}

describe('checkout sessions', () => {
  test('are open, priced and reachable when created, and show no payment intent yet', async () => {
    const session = await world.stripe.checkout.sessions.create({ ...drop, customer_email: 'a@example.com' })
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 2400,
      currency: 'usd',
      payment_intent: null,
      client_reference_id: 'ord_1',
      customer_email: 'a@example.com',
      metadata: { orderId: 'ord_1' },
      url: `http://localhost:3999/sandbox/checkout/${session.id}`,
    })
    expect(session.expires_at).toBe(session.created + 86_400)
    expect(session.line_items).toBeUndefined()
    const items = await world.stripe.checkout.sessions.listLineItems(session.id)
    expect(items.data[0]).toMatchObject({ description: 'Zine <b>No. 1</b>', quantity: 2, amount_total: 2400 })
  })

  test('have an intent, a charge and a fee when paid, all reachable by nested expansion', async () => {
    const session = await paidSession(shipped)
    const { intent, charge, movement } = expandedCharge(session)
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', url: null })
    expect(session.customer_details).toMatchObject({ email: 'buyer@example.com', phone: '+15555550100' })
    expect(session.collected_information?.shipping_details).toMatchObject({
      name: 'Sandbox Buyer',
      address: { line1: '1 Sandbox Street', city: 'San Francisco', country: 'US', postal_code: '94103' },
    })
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount: 2400,
      amount_received: 2400,
      metadata: { orderId: 'ord_1' },
    })
    expect(charge).toMatchObject({ paid: true, amount: 2400, transfer_group: 'ord_1', payment_intent: intent.id })
    expect(charge.payment_method_details?.card?.last4).toBe('4242')
    expect(movement).toMatchObject({ amount: 2400, fee: 100, net: 2300, source: charge.id })
    expect(session.line_items?.data[0]?.price?.product).toMatchObject({ object: 'product', name: 'Zine <b>No. 1</b>' })
  })

  test('are found by payment intent, with expansion in lists', async () => {
    const session = await paidSession()
    await paidSession()
    const { intent } = expandedCharge(session)
    const list = await world.stripe.checkout.sessions.list({
      payment_intent: intent.id,
      expand: ['data.payment_intent'],
    })
    expect(list.data.map(({ id }) => id)).toEqual([session.id])
    expect((list.data[0]?.payment_intent as Stripe.PaymentIntent).id).toBe(intent.id)
    const pages = await world.stripe.checkout.sessions.list({ limit: 1 })
    expect(pages.has_more).toBe(true)
    const all: string[] = []
    for await (const each of world.stripe.checkout.sessions.list({ limit: 1 })) all.push(each.id)
    expect(all).toHaveLength(2)
  })

  test('merge and clear metadata', async () => {
    const { id } = await world.stripe.checkout.sessions.create(drop)
    const merged = await world.stripe.checkout.sessions.update(id, { metadata: { note: 'x', orderId: '' } })
    expect(merged.metadata).toEqual({ note: 'x' })
    expect((await world.stripe.checkout.sessions.update(id, { metadata: '' })).metadata).toEqual({})
  })

  test('can be expired once by a call, but not after the payment', async () => {
    const { id } = await world.stripe.checkout.sessions.create(drop)
    expect(await world.stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null })
    expect((await refusalOf(world.stripe.checkout.sessions.expire(id))).message).toContain('status of expired')
    const paid = await paidSession()
    expect((await refusalOf(world.stripe.checkout.sessions.expire(paid.id))).statusCode).toBe(400)
  })

  test('that have reached their end expire when they are read or swept, with one event each', async () => {
    const expires_at = world.nowSeconds() + 1810
    const read = await world.stripe.checkout.sessions.create({ ...drop, expires_at })
    await world.stripe.checkout.sessions.create({ ...drop, expires_at })
    world.advance(1_811_000)
    const reads = Array.from({ length: 5 }, () => world.stripe.checkout.sessions.retrieve(read.id))
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(Array(5).fill('expired'))
    await Promise.all([world.standIn.deliverDue(), world.twin().deliverDue()])
    await world.standIn.deliverDue()
    expect(world.types()).toEqual(['checkout.session.expired', 'checkout.session.expired'])
  })

  test('refuse lifetimes that Stripe refuses', async () => {
    // A session must expire 30 minutes to 24 hours after its creation: docs.stripe.com/api/checkout/sessions/create
    // (docs/stripe-rules.md, B9).
    for (const seconds of [1_500, 1_795, 86_460, 90_000]) {
      const call = world.stripe.checkout.sessions.create({ ...drop, expires_at: world.nowSeconds() + seconds })
      expect(await refusalOf(call)).toMatchObject({ statusCode: 400, param: 'expires_at' })
    }
  })
})

describe('the API of the stand-in', () => {
  test('refuses unknown parameters at any depth, and names them', async () => {
    const wrong = { ...drop, emial: 'x' } as Stripe.Checkout.SessionCreateParams
    expect(await refusalOf(world.stripe.checkout.sessions.create(wrong))).toMatchObject({
      statusCode: 400,
      code: 'parameter_unknown',
      param: 'emial',
    })
    const deep = await refusalOf(
      world.stripe.customers.create({ address: { stret: 'x' } } as Stripe.CustomerCreateParams),
    )
    expect(deep).toMatchObject({ code: 'parameter_unknown', param: 'address[stret]' })
  })

  test('refuses unknown routes with a 404 that the SDK throws as an error', async () => {
    const error = await refusalOf(world.stripe.coupons.list())
    expect(error).toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' })
    expect(error.message).toContain('Unrecognized request URL (GET: /v1/coupons)')
  })

  test('refuses a wrong or missing key', async () => {
    const error = await refusalOf(sdkFor(world.standIn, 'sk_test_other').customers.create({}))
    expect(error).toMatchObject({ statusCode: 401, type: 'StripeAuthenticationError' })
    expect((await world.standIn.api(new Request('https://api.stripe.com/v1/events'))).status).toBe(401)
  })

  test('refuses missing parameters, bad values and amounts below the minimum', async () => {
    const { stripe } = world
    expect((await post('/v1/payment_intents', 'amount=100')).body.error).toMatchObject({
      code: 'parameter_missing',
      param: 'currency',
    })
    expect((await post('/v1/payment_intents', 'amount=1.5&currency=usd')).body.error).toMatchObject({
      code: 'parameter_invalid_integer',
      param: 'amount',
    })
    expect(await refusalOf(stripe.paymentIntents.create({ amount: 49, currency: 'usd' }))).toMatchObject({
      statusCode: 400,
      code: 'amount_too_small',
    })
    const cheap = {
      ...drop,
      line_items: [{ price_data: { currency: 'usd', unit_amount: 10, product_data: { name: 'x' } }, quantity: 4 }],
    }
    expect(await refusalOf(stripe.checkout.sessions.create(cheap))).toMatchObject({ code: 'amount_too_small' })
    expect((await refusalOf(stripe.checkout.sessions.create({ ...drop, mode: 'setup' }))).param).toBe('mode')
    expect(
      await refusalOf(stripe.checkout.sessions.create({ ...drop, success_url: 'javascript:alert(1)' })),
    ).toMatchObject({
      code: 'url_invalid',
    })
    expect(await refusalOf(stripe.checkout.sessions.retrieve('cs_test_x', { expand: ['currency'] }))).toMatchObject({
      statusCode: 404,
    })
    const { id } = await stripe.checkout.sessions.create(drop)
    expect((await refusalOf(stripe.checkout.sessions.retrieve(id, { expand: ['currency'] }))).message).toContain(
      'cannot be expanded',
    )
  })

  test('responds with 404 for missing objects, whatever their id', async () => {
    const { stripe } = world
    const calls = [
      stripe.checkout.sessions.retrieve('cs_test_x'),
      stripe.paymentIntents.retrieve('pi_x'),
      stripe.charges.retrieve('ch_x'),
      stripe.refunds.retrieve('re_x'),
      stripe.disputes.retrieve('du_x'),
      stripe.customers.retrieve('cus_\u0000x'),
      stripe.events.retrieve('evt_x'),
      stripe.balanceTransactions.retrieve('txn_x'),
      stripe.refunds.create({ payment_intent: 'pi_x' }),
    ]
    for (const error of await Promise.all(calls.map(refusalOf))) {
      expect(error).toMatchObject({ statusCode: 404, code: 'resource_missing' })
    }
  })

  test('accepts unusual strings, and stores them without their NUL characters', async () => {
    const customer = await world.stripe.customers.create({
      name: 'Zoë \u0000 💥 \\u0000',
      metadata: { 'a\u0000': '"' },
    })
    expect((await world.stripe.customers.retrieve(customer.id)) as Stripe.Customer).toMatchObject({
      name: 'Zoë  💥 \\u0000',
      metadata: { a: '"' },
    })
  })
})

describe('idempotency keys', () => {
  test('replay the stored response', async () => {
    const first = await post('/v1/customers', 'email=a@example.com', { 'idempotency-key': 'k' })
    const again = await post('/v1/customers', 'email=a@example.com', { 'idempotency-key': 'k' })
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('request-id')).toMatch(/^req_/)
  })

  test('create one object for parallel calls, even to two instances of the stand-in', async () => {
    const twin = sdkFor(world.twin(), SECRET_KEY)
    const answers = await Promise.allSettled(
      Array.from({ length: 24 }, (_, index) =>
        (index % 2 ? twin : world.stripe).checkout.sessions.create(drop, { idempotencyKey: 'order-1' }),
      ),
    )
    const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.id] : []))
    expect(new Set(made).size).toBe(1)
    expect(await count('SandboxObject', `"kind" = 'checkout.session'`)).toBe(1)
    // B7, docs.stripe.com/error-low-level: a request whose key is in use is refused with 409, and may be sent again.
    for (const answer of answers) {
      if (answer.status === 'fulfilled') continue
      expect(answer.reason).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    }
    expect((await world.stripe.checkout.sessions.create(drop, { idempotencyKey: 'order-1' })).id).toBe(made[0])
  })

  // A7, docs.stripe.com/api/idempotent_requests: the result is saved "regardless of whether it succeeds or fails".
  test('return the stored error again, and no object of the failed request exists', async () => {
    const { stripe } = world
    const refund = { payment_intent: 'pi_nobody' }
    const first = await refusalOf(stripe.refunds.create(refund, { idempotencyKey: 'k' }))
    const again = await refusalOf(stripe.refunds.create(refund, { idempotencyKey: 'k' }))
    expect(again).toMatchObject({ statusCode: 404, code: first.code })
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true' })
    expect(await count('SandboxObject', `"kind" = 'refund'`)).toBe(0)
  })

  // docs.stripe.com/api/idempotent_requests (docs/stripe-rules.md, A8)
  test('are refused with other parameters, and are not stored for a request with invalid parameters', async () => {
    const { stripe } = world
    await refusalOf(stripe.checkout.sessions.create({ ...drop, success_url: 'nowhere' }, { idempotencyKey: 'k' }))
    const { id } = await stripe.checkout.sessions.create(drop, { idempotencyKey: 'k' })
    expect(await refusalOf(stripe.checkout.sessions.create(shipped, { idempotencyKey: 'k' }))).toMatchObject({
      statusCode: 400,
      type: 'StripeIdempotencyError',
    })
    expect((await stripe.checkout.sessions.create(drop, { idempotencyKey: 'k' })).id).toBe(id)
  })

  test('may be used again after a day', async () => {
    const first = await world.stripe.customers.create({}, { idempotencyKey: 'k' })
    world.advance(25 * 3_600_000)
    expect((await world.stripe.customers.create({}, { idempotencyKey: 'k' })).id).not.toBe(first.id)
  })
})

describe('refunds', () => {
  test('return a part and then the rest, and never more than was paid', async () => {
    const { stripe } = world
    const { intent, charge } = expandedCharge(await paidSession())
    const part = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 1000,
      reason: 'requested_by_customer',
    })
    expect(part).toMatchObject({ status: 'succeeded', amount: 1000, charge: charge.id, payment_intent: intent.id })
    expect(await refusalOf(stripe.refunds.create({ charge: charge.id, amount: 1401 }))).toMatchObject({
      param: 'amount',
    })
    await stripe.refunds.create({ charge: charge.id })
    expect(await refusalOf(stripe.refunds.create({ charge: charge.id }))).toMatchObject({
      code: 'charge_already_refunded',
    })
    const after = await stripe.charges.retrieve(charge.id, { expand: ['refunds'] })
    expect(after).toMatchObject({ amount_refunded: 2400, refunded: true, paid: true })
    expect(after.refunds?.data).toHaveLength(2)
    expect((await stripe.refunds.list({ payment_intent: intent.id })).data.map(({ amount }) => amount)).toEqual([
      1400, 1000,
    ])
    await world.standIn.deliverDue()
    expect(world.types().filter((type) => type.includes('refund'))).toEqual([
      'charge.refunded',
      'charge.refunded',
      'refund.created',
      'refund.created',
      'refund.updated',
      'refund.updated',
    ])
  })

  test('never exceed the payment when they are requested at the same time', async () => {
    const { charge } = expandedCharge(await paidSession())
    const answers = await Promise.allSettled(
      Array.from({ length: 8 }, () => world.stripe.refunds.create({ charge: charge.id, amount: 2000 })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await count('SandboxObject', `"kind" = 'refund'`)).toBe(1)
  })

  test('need a paid charge', async () => {
    const intent = await world.stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    const error = await refusalOf(world.stripe.refunds.create({ payment_intent: intent.id }))
    expect(error.message).toContain('does not have a successful charge')
    expect((await refusalOf(world.stripe.refunds.create({}))).statusCode).toBe(400)
  })
})

describe('payment intents', () => {
  test('are confirmed, declined, retried and canceled', async () => {
    const { stripe } = world
    const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'usd', metadata: { a: '1' } })
    expect(intent.client_secret).toContain(`${intent.id}_secret_`)
    await stripe.paymentIntents.update(intent.id, { amount: 700, metadata: { b: '2' } })
    const declined = await refusalOf(
      stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' }),
    )
    expect(declined).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { decline_code: 'insufficient_funds' },
    })
    const paid = await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 700, metadata: { a: '1', b: '2' } })
    expect(await refusalOf(stripe.paymentIntents.cancel(intent.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    })
    const other = await stripe.paymentIntents.create({ amount: 500, currency: 'usd' })
    expect(await stripe.paymentIntents.cancel(other.id)).toMatchObject({ status: 'canceled' })
    await world.standIn.deliverDue()
    expect(world.types()).toEqual([
      'charge.failed',
      'charge.succeeded',
      'charge.updated',
      'payment_intent.canceled',
      'payment_intent.created',
      'payment_intent.created',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
    ])
  })

  test('of a session can be canceled only through the session', async () => {
    const session = await world.stripe.checkout.sessions.create(drop)
    await payJson(world.standIn, session.url, { email: 'a@example.com', cardNumber: '4000000000000002' })
    const { payment_intent } = await world.stripe.checkout.sessions.retrieve(session.id)
    const error = await refusalOf(world.stripe.paymentIntents.cancel(String(payment_intent)))
    expect(error.message).toContain('Expire the Checkout Session instead')
    await world.stripe.checkout.sessions.expire(session.id)
    expect(await world.stripe.paymentIntents.retrieve(String(payment_intent))).toMatchObject({ status: 'canceled' })
  })
})

test('events are stored and can be listed by type', async () => {
  await paidSession()
  const list = await world.stripe.events.list({ type: 'checkout.session.completed' })
  expect(list.data).toHaveLength(1)
  const [event] = list.data
  expect(event).toMatchObject({ object: 'event', livemode: false, api_version: '2026-10-28.endive' })
  expect((await world.stripe.events.retrieve(event!.id)).type).toBe('checkout.session.completed')
})
