import type pg from 'pg'
import type Stripe from 'stripe'
import {
  ASKS_FIRST,
  createWorld,
  DECLINED,
  drop,
  errorOf,
  LACKS_FUNDS,
  PAYS,
  payForm,
  payJson,
  SECRET_KEY,
  shipped,
  type World,
} from './stripe-support'

let world: World

beforeEach(async () => {
  world = await createWorld()
})
afterEach(() => world.close())

const email = 'buyer@example.com'
const form = { email, cardNumber: PAYS, expiry: '12 / 34', cvc: '123', name: 'Ada B' }
const address = {
  shippingName: 'Ada Buyer',
  line1: 'Hauptstr. 1',
  line2: '',
  city: 'Berlin',
  state: '',
  postalCode: '10115',
  country: 'DE',
  phone: '+49 30 1234567',
}

function open(params: Stripe.Checkout.SessionCreateParams = drop) {
  return world.stripe.checkout.sessions.create(params)
}

function read(id: string) {
  return world.stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] })
}

async function show(url: string | null) {
  const response = await world.standIn.pages(new Request(String(url)))
  return { status: response.status, headers: response.headers, html: await response.text() }
}

async function chargeCount(): Promise<number> {
  const { data } = await world.stripe.charges.list({ limit: 100 })
  return data.filter(({ paid }) => paid).length
}

describe('the card page', () => {
  test('shows the escaped product, labeled fields and no script', async () => {
    const session = await open({ ...shipped, custom_text: { submit: { message: 'Ships in <3 days' } } })
    const { status, headers, html } = await show(session.url)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(html).toContain('Sandbox – no real money')
    expect(html).toContain('Zine &lt;b&gt;No. 1&lt;/b&gt;')
    expect(html).toContain('Ships in &lt;3 days')
    expect(html).toContain('Pay $24.00')
    expect(html).toContain('src="https://img.example/zine.jpg"')
    expect(html).toContain('href="http://localhost:3999/drop/abc"')
    expect(html).not.toMatch(/<script|onclick|<b>No/)
    const labels = [...html.matchAll(/<label for="(\w+)">([^<]*)/g)].map(([, id, text]) => [id, text?.trim()])
    expect(labels).toEqual([
      ['email', 'Email'],
      ['phone', 'Phone'],
      ['shippingName', 'Full name'],
      ['line1', 'Address line 1'],
      ['line2', 'Address line 2'],
      ['city', 'City'],
      ['state', 'State or region'],
      ['postalCode', 'Postal code'],
      ['country', 'Country'],
      ['cardNumber', 'Card number'],
      ['expiry', 'Expiry'],
      ['cvc', 'CVC'],
      ['name', 'Name on card'],
    ])
    for (const [id] of labels) expect(html).toMatch(new RegExp(`<(input|select)\\s+id="${id}"\\s+name="${id}"`))
    expect(html).toContain('<option value="DE">Germany</option>')
  })

  test('asks the buyer of a digital drop for no address', async () => {
    const { html } = await show((await open()).url)
    expect(html).not.toContain('Address line 1')
    expect(html).not.toContain('Phone')
  })

  test('takes one payment, and then links to the page of the paid order', async () => {
    const session = await open()
    const paid = await payForm(world.standIn, session.url, form)
    expect(paid.status).toBe(303)
    expect(paid.headers.get('location')).toBe(`http://localhost:3999/success-payment?session_id=${session.id}`)
    const after = await show(session.url)
    expect(after.status).toBe(410)
    expect(after.html).toContain(`/success-payment?session_id=${session.id}`)
    expect((await payForm(world.standIn, session.url, form)).status).toBe(303)
    expect(await chargeCount()).toBe(1)
  })

  test('uses the typed address', async () => {
    const session = await open(shipped)
    expect((await payForm(world.standIn, session.url, { ...form, ...address })).status).toBe(303)
    const paid = await read(session.id)
    expect(paid.collected_information?.shipping_details).toEqual({
      name: 'Ada Buyer',
      address: { line1: 'Hauptstr. 1', line2: null, city: 'Berlin', state: null, postal_code: '10115', country: 'DE' },
    })
    expect(paid.customer_details).toMatchObject({ email, name: 'Ada B', phone: '+49 30 1234567' })
    expect((paid.payment_intent as Stripe.PaymentIntent).shipping).toMatchObject({
      name: 'Ada Buyer',
      phone: '+49 30 1234567',
    })
  })

  test('shows errors at their fields and keeps what was typed, except for the card', async () => {
    const session = await open(shipped)
    const typed = { ...form, ...address, email: '', city: '', country: 'FR', name: '"><script>', cvc: '1' }
    const response = await payForm(world.standIn, session.url, typed)
    const html = await response.text()
    expect(response.status).toBe(400)
    expect(html).toContain('Please fix 4 fields')
    for (const field of ['email', 'city', 'country', 'cvc']) {
      expect(html).toContain(`aria-describedby="${field}-error"`)
      expect(html).toContain(`id="${field}-error"`)
      expect(html).toContain(`href="#${field}"`)
    }
    expect(html).toContain('value="Hauptstr. 1"')
    expect(html).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(html).not.toContain('value="4242')
    expect((await read(session.id)).payment_intent).toBeNull()
  })

  test('shows a decline and accepts another card', async () => {
    const session = await open()
    const declined = await payForm(world.standIn, session.url, { ...form, cardNumber: DECLINED })
    const html = await declined.text()
    expect(declined.status).toBe(402)
    expect(html).toContain('Your card was declined.')
    expect(html).toContain(`value="${email}"`)
    expect(html).not.toContain(`value="${DECLINED}`)
    expect((await payForm(world.standIn, session.url, form)).status).toBe(303)
    await world.standIn.deliverDue()
    expect(world.types()).toEqual([
      'charge.failed',
      'charge.succeeded',
      'charge.updated',
      'checkout.session.completed',
      'payment_intent.created',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
    ])
  })

  test('asks for a confirmation, which can be refused or given', async () => {
    const session = await open(shipped)
    const asked = await payForm(world.standIn, session.url, { ...form, ...address, cardNumber: ASKS_FIRST })
    const html = await asked.text()
    expect(html).toContain('>Approve</button>')
    expect(html).toContain('>Fail</button>')
    expect(html).not.toContain('3220')
    expect((await read(session.id)).payment_intent).toMatchObject({ status: 'requires_action' })
    const failed = await payForm(world.standIn, session.url, { confirm: 'false' })
    expect(failed.status).toBe(402)
    expect(await failed.text()).toContain('not confirmed')
    await payForm(world.standIn, session.url, { ...form, ...address, cardNumber: ASKS_FIRST })
    expect((await payForm(world.standIn, session.url, { confirm: 'true' })).status).toBe(303)
    const paid = await read(session.id)
    expect(paid.collected_information?.shipping_details?.address.city).toBe('Berlin')
    expect(await chargeCount()).toBe(1)
  })

  test('responds with 410 and a notice for an expired session, and with 404 for an unknown or malformed URL', async () => {
    const session = await open({ ...drop, expires_at: world.nowSeconds() + 1810 })
    world.advance(1_811_000)
    const expired = await show(session.url)
    expect(expired.status).toBe(410)
    expect(expired.html).toContain('This checkout has expired')
    expect(expired.html).toContain('href="http://localhost:3999/drop/abc"')
    expect(await errorOf(await payJson(world.standIn, session.url, { email, cardNumber: PAYS }))).toMatchObject({
      code: 'session_expired',
    })
    for (const id of ['cs_test_nope', '%00', '%ff', 'a'.repeat(3_000), `${session.id}~plan`, '..%2f..']) {
      const url = `http://localhost:3999/sandbox/checkout/${id}`
      expect((await show(url)).status).toBe(404)
      expect((await payJson(world.standIn, url, { email, cardNumber: PAYS })).status).toBe(404)
    }
  })
})

describe('the card page, called by scripts', () => {
  test('pays with only an email address and a card', async () => {
    const session = await open(shipped)
    const response = await payJson(world.standIn, session.url, { email, cardNumber: '4242424242424242' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toContain(session.id)
    const paid = await read(session.id)
    expect(paid.customer_details).toMatchObject({ email, phone: '+15555550100' })
    expect(paid.collected_information?.shipping_details?.address.line1).toBe('1 Sandbox Street')
  })

  test('accepts the same fields from a form that curl sends', async () => {
    const session = await open(shipped)
    expect((await payForm(world.standIn, session.url, { email, cardNumber: PAYS, name: 'Curl' })).status).toBe(303)
    expect((await read(session.id)).collected_information?.shipping_details?.name).toBe('Curl')
    const other = await open()
    const body = new FormData()
    body.set('email', email)
    body.set('cardNumber', PAYS)
    const sent = new Request(`${other.url}/pay`, { method: 'POST', body })
    expect((await world.standIn.pages(sent)).status).toBe(303)
  })

  test('names the code of an error, or the parameter that caused it', async () => {
    const session = await open(shipped)
    const cases: [Record<string, unknown>, number, Record<string, unknown>][] = [
      [{ email, cardNumber: DECLINED }, 402, { code: 'card_declined', decline_code: 'generic_decline' }],
      [{ email, cardNumber: LACKS_FUNDS }, 402, { code: 'card_declined', decline_code: 'insufficient_funds' }],
      [{ email, cardNumber: ASKS_FIRST }, 402, { code: 'authentication_required' }],
      [
        { email, cardNumber: '4111 1111 1111 1111' },
        402,
        { code: 'card_declined', decline_code: 'test_mode_live_card' },
      ],
      [{ email, cardNumber: '4242 4242 4242 4241' }, 402, { code: 'incorrect_number' }],
      [{ email, cardNumber: PAYS, expiry: '01/20' }, 402, { code: 'invalid_expiry_year' }],
      [{ email, cardNumber: PAYS, expiry: '13/40' }, 402, { code: 'invalid_expiry_month' }],
      [{ email, cardNumber: PAYS, cvc: 'abc' }, 402, { code: 'invalid_cvc' }],
      [{ cardNumber: PAYS }, 400, { code: 'parameter_missing', param: 'email' }],
      [{ email: 'nobody', cardNumber: PAYS }, 400, { code: 'email_invalid' }],
      [{ email }, 400, { code: 'parameter_missing', param: 'cardNumber' }],
      [{ email, cardNumber: PAYS, name: 'A', line1: 'x', city: '' }, 400, { code: 'parameter_missing', param: 'city' }],
      [{ email, cardNumber: PAYS, country: 'FR' }, 400, { param: 'country' }],
      [
        { email, cardNumber: PAYS, name: 'A', line1: 'x', city: 'y', postalCode: '1', country: 'FR' },
        400,
        { param: 'country' },
      ],
    ]
    for (const [body, status, error] of cases) {
      const response = await payJson(world.standIn, session.url, body)
      expect({ status: response.status, ...(await errorOf(response)) }).toMatchObject({ status, ...error })
    }
    expect(await chargeCount()).toBe(0)
    expect((await payJson(world.standIn, session.url, { email, cardNumber: ASKS_FIRST, confirm: true })).status).toBe(
      303,
    )
    expect(await chargeCount()).toBe(1)
  })

  test('responds to malformed requests with a status other than 500', async () => {
    const session = await open()
    const bodies: [string, number][] = [
      ['{', 400],
      ['[]', 400],
      ['null', 400],
      ['{"email":{"a":1},"cardNumber":[]}', 400],
      [`{"email":"${'x'.repeat(70_000)}"}`, 413],
      ['{"email":"a\\u0000\\ud800@example.com","cardNumber":"4000000000000002","name":"\\u0000\\udfff"}', 402],
      [`{"email":"${email}","cardNumber":"4000000000000002","name":"${'n'.repeat(5_000)}"}`, 400],
    ]
    for (const [body, status] of bodies) expect((await payJson(world.standIn, session.url, body)).status).toBe(status)
    const send = (init: RequestInit) =>
      world.standIn.pages(new Request(`${session.url}/pay`, { method: 'POST', ...init }))
    expect((await send({ body: 'x', headers: { 'content-type': 'text/xml' } })).status).toBe(415)
    expect((await send({ body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=y' } })).status).toBe(400)
    expect((await send({ body: '{}' })).status).toBe(415)
    expect((await send({ body: new URLSearchParams({ 'a[b]': '1', '%ff': '%00' }) })).status).toBe(400)
    expect((await send({})).status).toBe(400)
    expect((await world.standIn.pages(new Request(`${session.url}/pay`))).status).toBe(303)
    expect((await world.standIn.pages(new Request(String(session.url), { method: 'DELETE' }))).status).toBe(404)
  })

  test('charges once for parallel requests to two instances of the stand-in', async () => {
    const session = await open()
    const twin = world.twin()
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        payJson(index % 2 ? twin : world.standIn, session.url, { email, cardNumber: PAYS }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(30).fill(303))
    expect(await chargeCount()).toBe(1)
    await world.standIn.deliverDue()
    expect(world.types()).toEqual([
      'charge.succeeded',
      'charge.updated',
      'checkout.session.completed',
      'payment_intent.created',
      'payment_intent.succeeded',
    ])
  })

  test('either charges for a session or lets it expire, never both', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => open()))
    await Promise.all(
      sessions.flatMap((session) => [
        payJson(world.standIn, session.url, { email, cardNumber: PAYS }),
        world.stripe.checkout.sessions.expire(session.id).catch(() => null),
      ]),
    )
    const { data } = await world.stripe.checkout.sessions.list({ limit: 100 })
    const complete = data.filter(({ status }) => status === 'complete').length
    expect(data.filter(({ status }) => status === 'expired')).toHaveLength(8 - complete)
    expect(await chargeCount()).toBe(complete)
  })

  test('gives no access to the secret-key API, whatever the headers say', async () => {
    const session = await open()
    const headers = { authorization: `Bearer ${SECRET_KEY}`, accept: 'application/json' }
    const paths = [
      '/v1/events',
      '/v1/checkout/sessions',
      '/sandbox/v1/events',
      '/sandbox/checkout/v1/events',
      '/sandbox/checkout/../../v1/events',
      `/sandbox/checkout/${session.id}/expire`,
      `/v1/checkout/sessions/${session.id}/expire`,
      '/v1/refunds',
    ]
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const response = await world.standIn.pages(new Request(`http://localhost:3999${path}`, { method, headers }))
        expect([path, method, response.status]).toEqual([path, method, 404])
      }
    }
    expect((await read(session.id)).status).toBe('open')
  })

  test('stores nothing when the connection breaks during the commit, and pays on the next try', async () => {
    const session = await open()
    const { pool } = world
    const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
    const spy = jest.spyOn(pool, 'connect').mockImplementationOnce(async () => {
      const client = await connect()
      const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
      const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>
      client.query = (async (...values: unknown[]) => {
        if (values[0] === 'COMMIT') await pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
        return query(...values)
      }) as typeof client.query
      return client
    })
    expect((await payJson(world.standIn, session.url, { email, cardNumber: PAYS })).status).toBe(503)
    spy.mockRestore()
    expect(await read(session.id)).toMatchObject({ status: 'open', payment_intent: null })
    expect((await pool.query(`SELECT 1 FROM "SandboxDelivery"`)).rowCount).toBe(0)
    expect((await payJson(world.standIn, session.url, { email, cardNumber: PAYS })).status).toBe(303)
    expect(await chargeCount()).toBe(1)
  })

  test('responds with 503 while the database cannot be reached', async () => {
    const session = await open()
    const connect = jest.spyOn(world.pool, 'connect').mockImplementation(() => {
      throw new Error('connect ECONNREFUSED')
    })
    expect((await payJson(world.standIn, session.url, { email, cardNumber: PAYS })).status).toBe(503)
    expect((await show(session.url)).status).toBe(503)
    connect.mockRestore()
  })
})
