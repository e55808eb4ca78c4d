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

describe('the origins', () => {
  const onVercel = {
    VERCEL: '1',
    VERCEL_ENV: 'preview',
    VERCEL_URL: 'lastcall-4fj2k1.vercel.app',
    VERCEL_BRANCH_URL: 'lastcall-git-mugs.vercel.app',
    VERCEL_PROJECT_PRODUCTION_URL: 'drops.example',
    DATABASE_URL: 'postgresql://a:b@db/c',
    AUTH_SECRET: 'x'.repeat(32),
  }
  const originsOf = (raw: Record<string, string>) => readEnvironment({ ...onVercel, ...raw }).values.origins

  it('of a preview are its branch and its deployment; the first is the public one', () => {
    expect(readEnvironment(onVercel).problems).toEqual([])
    expect(originsOf({})).toEqual(['https://lastcall-git-mugs.vercel.app', 'https://lastcall-4fj2k1.vercel.app'])
    expect(readEnvironment(onVercel).values.appUrl).toBe('https://lastcall-git-mugs.vercel.app')
  })

  it('of production begin with the domain', () => {
    expect(originsOf({ VERCEL_ENV: 'production' })[0]).toBe('https://drops.example')
    expect(originsOf({ VERCEL_ENV: 'production' })).toHaveLength(3)
  })

  it('are APP_URL alone when it is set', () => {
    expect(originsOf({ APP_URL: 'https://drops.example/' })).toEqual(['https://drops.example'])
  })

  it('are this machine without any of it, also when the names are set by somebody else than Vercel', () => {
    expect(readEnvironment({ PORT: '4000' }).values.origins).toEqual(['http://localhost:4000'])
    expect(readEnvironment({ VERCEL_URL: 'evil.example' }).values.origins).toEqual(['http://localhost:3000'])
  })

  it('stop the start when the host gives no name but an address', () => {
    const { problems } = readEnvironment({ ...onVercel, VERCEL_BRANCH_URL: 'a/b' })
    expect(problems).toEqual([expect.stringMatching(/^APP_URL is "https:\/\/a\/b"/)])
  })
})

describe('a serverless host', () => {
  const onIt = { SERVERLESS: '1', DATABASE_URL: 'postgresql://a:b@db/c', AUTH_SECRET: 'x'.repeat(32) }

  it('has a small pool and a folder that can be written to, and no address of a client in a header', () => {
    const { problems, values } = readEnvironment(onIt)
    expect(problems).toEqual([])
    expect(values).toMatchObject({
      isServerless: true,
      poolSize: 4,
      dataDir: '/tmp/lastcall',
      clientAddressHeader: null,
    })
  })

  it('is what Vercel is, unless it is told otherwise', () => {
    const { values } = readEnvironment({ ...onIt, SERVERLESS: '', VERCEL: '1' })
    expect(values).toMatchObject({ isServerless: true, clientAddressHeader: 'x-vercel-forwarded-for' })
    expect(readEnvironment({ ...onIt, SERVERLESS: '0', VERCEL: '1' }).values.isServerless).toBe(false)
    // Somebody who has put a proxy of their own in front of Vercel.
    const behind = readEnvironment({ ...onIt, VERCEL: '1', TRUSTED_PROXY_HOPS: '2' })
    expect(behind.values.clientAddressHeader).toBeNull()
  })

  it('needs a database, and takes no other values', () => {
    expect(readEnvironment({ SERVERLESS: '1' }).problems).toEqual([expect.stringMatching(/^DATABASE_URL is missing/)])
    expect(readEnvironment({ SERVERLESS: 'yes' }).problems).toEqual([expect.stringMatching(/^SERVERLESS is "yes"/)])
  })

  it.each(['1', '201', '2.5', 'many'])('refuses a pool of %s', (size) => {
    const { problems } = readEnvironment({ DATABASE_POOL_SIZE: size })
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_POOL_SIZE is/)])
  })
})

describe("the address of Stripe's API", () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
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
