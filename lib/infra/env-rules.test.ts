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

describe("Stripe's keys", () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  }
  const live = { ...keys, STRIPE_SECRET_KEY: 'rk_live_1', NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
  const problemsOf = (raw: Record<string, string | undefined>) => readEnvironment(raw).problems

  it('turn real payments on when all four are set', () => {
    expect(readEnvironment(keys)).toMatchObject({ problems: [], values: { payments: 'live', stripeMode: 'test' } })
    const { problems, values } = readEnvironment({ ...live, APP_URL: 'https://drops.example' })
    expect([problems, values.stripeMode]).toEqual([[], 'live'])
    expect(readEnvironment({}).values.stripeMode).toBeNull()
  })

  it.each(Object.keys(keys))('stop the start with one line when only %s is missing', (name) => {
    expect(problemsOf({ ...keys, [name]: '' })).toEqual([expect.stringMatching(new RegExp(`^${name} is missing: `))])
  })

  it.each(Object.keys(keys))('stop the start with one line when %s holds something else', (name) => {
    const secret = { NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }
    const wrong = { ...keys, [name]: 'pasted wrongly', ...(name in secret && secret) }
    expect(problemsOf(wrong)).toEqual([expect.stringMatching(new RegExp(`^${name} is not a `))])
  })

  it('stop the start when they are of different modes', () => {
    const mixed = { ...keys, NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }
    expect(problemsOf(mixed)).toEqual([expect.stringContaining('take both from the same mode')])
  })

  it('stop the start when they are live and the origin is not https', () => {
    expect(problemsOf({ ...live, APP_URL: 'http://drops.example' })).toEqual([
      expect.stringMatching(/^APP_URL is .*https/),
    ])
  })

  it('may have one signing secret for both endpoints, as `stripe listen` gives out', () => {
    expect(problemsOf({ ...keys, STRIPE_CONNECT_WEBHOOK_SECRET: keys.STRIPE_WEBHOOK_SECRET })).toEqual([])
  })
})
