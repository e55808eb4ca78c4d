import { readEnvironment } from './env-rules.mjs'

const tokenOf = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64')
const good = { apiKey: 'sk_live_1', appId: 'abc123', regions: ['sea1', 'fra1'] }

describe("UploadThing's token", () => {
  it('names the address that files are sent to', () => {
    const { problems, values } = readEnvironment({ UPLOADTHING_TOKEN: tokenOf(good) })
    expect(problems).toEqual([])
    expect(values.uploadThing).toMatchObject({ appId: 'abc123', ingestUrl: 'https://sea1.ingest.uploadthing.com' })
  })

  it('is optional', () => expect(readEnvironment({}).values.uploadThing).toBeNull())

  it.each([
    ['nonsense', 'nonsense'],
    ['no JSON', Buffer.from('hello').toString('base64')],
    ['null', tokenOf(null)],
    ['another key', tokenOf({ ...good, apiKey: 'pk_1' })],
    ['no app', tokenOf({ ...good, appId: undefined })],
    ['no region', tokenOf({ ...good, regions: [] })],
    ['a region that leads elsewhere', tokenOf({ ...good, regions: ['evil.example/#'] })],
    ['a host that leads elsewhere', tokenOf({ ...good, ingestHost: 'a@evil.example' })],
  ])('stops the start when it is not valid: %s', (_name, token) => {
    const { problems } = readEnvironment({ UPLOADTHING_TOKEN: token })
    expect(problems).toEqual([expect.stringMatching(/^UPLOADTHING_TOKEN is not a token/)])
  })

  it('may come with a stand-in, which needs a token', () => {
    const { values } = readEnvironment({ UPLOADTHING_TOKEN: tokenOf(good), UPLOADTHING_URL: 'http://localhost:4000' })
    expect(values.uploadThing).toMatchObject({ ingestUrl: 'http://localhost:4000' })
    expect(readEnvironment({ UPLOADTHING_URL: 'http://localhost:4000' }).problems).toHaveLength(1)
    expect(readEnvironment({ UPLOADTHING_TOKEN: tokenOf(good), UPLOADTHING_URL: 'nowhere' }).problems).toHaveLength(1)
  })
})

describe("the address of Stripe's API", () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  }

  it.each(['http://127.0.0.1:4242', 'http://localhost:4242', 'http://[::1]:4242'])(
    'may be on this machine: %s',
    (url) => {
      const { problems, values } = readEnvironment({ ...keys, STRIPE_API_URL: url })
      expect(problems).toEqual([])
      expect(values).toMatchObject({ stripeApiUrl: url, payments: 'live' })
    },
  )

  it.each([
    'https://api.stripe.example',
    'http://10.0.0.5:4242',
    'http://127.0.0.1.example:4242',
    'http://127.0.0.1:4242/v1',
    'http://user@127.0.0.1:4242',
    'nowhere',
  ])('may not be elsewhere: %s', (url) => {
    expect(readEnvironment({ ...keys, STRIPE_API_URL: url }).problems).toEqual([
      expect.stringMatching(/^STRIPE_API_URL may only name the stand-in on this machine/),
    ])
  })

  it('is refused with a live key and without a key', () => {
    const url = { STRIPE_API_URL: 'http://127.0.0.1:4242' }
    for (const environment of [url, { ...keys, ...url, STRIPE_SECRET_KEY: 'sk_live_1' }]) {
      expect(readEnvironment(environment).problems).toEqual([expect.stringMatching(/^STRIPE_API_URL needs a test key/)])
    }
  })
})

describe('how many sessions are opened at Stripe a second', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  }
  const paceOf = (environment: Record<string, string>) => readEnvironment(environment).values.stripeSessionsPerSecond

  it("stays below Stripe's 25 with real keys, and is not limited in the sandbox", () => {
    expect(paceOf(keys)).toBe(21)
    expect(paceOf({})).toBe(0)
  })

  it('can be set', () => expect(paceOf({ ...keys, STRIPE_SESSIONS_PER_SECOND: '100' })).toBe(100))

  it.each(['fast', '-1', '2.5', '100000'])('refuses %s', (value) => {
    expect(readEnvironment({ STRIPE_SESSIONS_PER_SECOND: value }).problems).toEqual([
      expect.stringMatching(/^STRIPE_SESSIONS_PER_SECOND is/),
    ])
  })
})
