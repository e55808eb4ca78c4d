import { readEnvironment } from './env-rules.mjs'

const tokenOf = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64')
const good = { apiKey: 'sk_live_1', appId: 'abc123', regions: ['sea1', 'fra1'] }

describe("UploadThing's token", () => {
  it('determines the URL to which files are sent', () => {
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
  ])('prevents the start when it is invalid: %s', (_name, token) => {
    const { problems } = readEnvironment({ UPLOADTHING_TOKEN: token })
    expect(problems).toEqual([expect.stringMatching(/^UPLOADTHING_TOKEN is not a token/)])
  })

  it('may be combined with the URL of a stand-in, which is refused without a token', () => {
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
  const live = {
    ...keys,
    STRIPE_SECRET_KEY: 'rk_live_1',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
    MAIL_FROM: 'Drops <drops@drops.example>',
  }
  const problemsOf = (raw: Record<string, string | undefined>) => readEnvironment(raw).problems

  it('turn on payments through Stripe when all four are set', () => {
    expect(readEnvironment(keys)).toMatchObject({ problems: [], values: { payments: 'live', stripeMode: 'test' } })
    const { problems, values } = readEnvironment({ ...live, APP_URL: 'https://drops.example' })
    expect([problems, values.stripeMode]).toEqual([[], 'live'])
    expect(readEnvironment({}).values.stripeMode).toBeNull()
  })

  it('prevent the start with a single problem when only one of them is set', () => {
    const [only = '', ...others] = Object.keys(keys)
    const half = { ...Object.fromEntries(others.map((name) => [name, ''])), [only]: keys[only as keyof typeof keys] }
    const problems = problemsOf(half)
    expect(problems).toHaveLength(1)
    for (const name of others) expect(problems[0]).toContain(name)
  })

  it.each(Object.keys(keys))('prevent the start with a single problem when only %s is missing', (name) => {
    expect(problemsOf({ ...keys, [name]: '' })).toEqual([expect.stringMatching(new RegExp(`^${name} is missing: `))])
  })

  it.each(Object.keys(keys))('prevent the start with a single problem when %s has the wrong form', (name) => {
    const secret = { NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'sk_test_1' }
    const wrong = { ...keys, [name]: 'pasted wrongly', ...(name in secret && secret) }
    expect(problemsOf(wrong)).toEqual([expect.stringMatching(new RegExp(`^${name} is not a `))])
  })

  it('prevent the start when one is a test key and the other a live key', () => {
    const mixed = { ...keys, NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1', MAIL_FROM: 'Drops <drops@drops.example>' }
    expect(problemsOf(mixed)).toEqual([expect.stringContaining('take both from the same mode')])
  })

  it('prevent the start when they are live and the origin is not https', () => {
    expect(problemsOf({ ...live, APP_URL: 'http://drops.example' })).toEqual([
      expect.stringMatching(/^APP_URL is .*https/),
    ])
  })

  it('may include the same signing secret for both endpoints, as `stripe listen` prints it', () => {
    expect(problemsOf({ ...keys, STRIPE_CONNECT_WEBHOOK_SECRET: keys.STRIPE_WEBHOOK_SECRET })).toEqual([])
  })
})

describe('origins', () => {
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

  it('a preview has the origins of its branch and its deployment, and that of its branch is the public one', () => {
    expect(readEnvironment(onVercel).problems).toEqual([])
    expect(originsOf({})).toEqual(['https://lastcall-git-mugs.vercel.app', 'https://lastcall-4fj2k1.vercel.app'])
    expect(readEnvironment(onVercel).values.appUrl).toBe('https://lastcall-git-mugs.vercel.app')
  })

  it('a production deployment has three origins, and its domain is the first', () => {
    expect(originsOf({ VERCEL_ENV: 'production' })[0]).toBe('https://drops.example')
    expect(originsOf({ VERCEL_ENV: 'production' })).toHaveLength(3)
  })

  it('APP_URL is the only origin when it is set', () => {
    expect(originsOf({ APP_URL: 'https://drops.example/' })).toEqual(['https://drops.example'])
  })

  it('the origin is localhost when nothing is set, and when VERCEL_URL is set without VERCEL', () => {
    expect(readEnvironment({ PORT: '4000' }).values.origins).toEqual(['http://localhost:4000'])
    expect(readEnvironment({ VERCEL_URL: 'evil.example' }).values.origins).toEqual(['http://localhost:3000'])
  })

  it('a wrong port is one problem, and not also a problem of the origin that is made from it', () => {
    const { problems } = readEnvironment({ PORT: 'abc' })
    expect(problems).toEqual(['PORT is "abc": give a number from 1 to 65535.'])
  })

  it('a name from Vercel that contains a path prevents the start', () => {
    const { problems } = readEnvironment({ ...onVercel, VERCEL_BRANCH_URL: 'a/b' })
    expect(problems).toEqual([expect.stringMatching(/^APP_URL is "https:\/\/a\/b"/)])
  })
})

describe('a serverless host', () => {
  const onIt = { SERVERLESS: '1', DATABASE_URL: 'postgresql://a:b@db/c', AUTH_SECRET: 'x'.repeat(32) }

  it('has a small pool and a writable folder, and reads no client address from a header', () => {
    const { problems, values } = readEnvironment(onIt)
    expect(problems).toEqual([])
    expect(values).toMatchObject({
      isServerless: true,
      poolSize: 4,
      dataDir: '/tmp/lastcall',
      clientAddressHeader: null,
    })
  })

  it('is assumed on Vercel unless SERVERLESS is 0, and trusted proxies turn off the header of Vercel', () => {
    const { values } = readEnvironment({ ...onIt, SERVERLESS: '', VERCEL: '1' })
    expect(values).toMatchObject({ isServerless: true, clientAddressHeader: 'x-vercel-forwarded-for' })
    expect(readEnvironment({ ...onIt, SERVERLESS: '0', VERCEL: '1' }).values.isServerless).toBe(false)
    // Here the operator runs a proxy in front of Vercel, so Vercel's header names that proxy.
    const behind = readEnvironment({ ...onIt, VERCEL: '1', TRUSTED_PROXY_HOPS: '2' })
    expect(behind.values.clientAddressHeader).toBeNull()
  })

  it('needs a database, and SERVERLESS accepts only 0 and 1', () => {
    expect(readEnvironment({ SERVERLESS: '1' }).problems).toEqual([expect.stringMatching(/^DATABASE_URL is missing/)])
    expect(readEnvironment({ SERVERLESS: 'yes' }).problems).toEqual([expect.stringMatching(/^SERVERLESS is "yes"/)])
  })

  it.each(['1', '201', '2.5', 'many'])('refuses a pool size of %s', (size) => {
    const { problems } = readEnvironment({ DATABASE_POOL_SIZE: size })
    expect(problems).toEqual([expect.stringMatching(/^DATABASE_POOL_SIZE is/)])
  })
})

describe("the URL of Stripe's API", () => {
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
  ])('is refused when it is not on this machine: %s', (url) => {
    expect(readEnvironment({ ...keys, STRIPE_API_URL: url }).problems).toEqual([
      expect.stringMatching(/^STRIPE_API_URL may only name the stand-in on this machine/),
    ])
  })

  it('is refused with a live key and without a key', () => {
    const url = { STRIPE_API_URL: 'http://127.0.0.1:4242' }
    for (const environment of [url, { ...keys, ...url, STRIPE_SECRET_KEY: 'sk_live_1' }]) {
      expect(readEnvironment(environment).problems).toContainEqual(
        expect.stringMatching(/^STRIPE_API_URL needs a test key/),
      )
    }
  })
})

const live = {
  APP_URL: 'https://drops.example',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  MAIL_FROM: 'Drops <drops@drops.example>',
  ADMIN_EMAIL: 'boss@drops.example',
  ADMIN_PASSWORD: 'kT9-wool-carp-47',
}

describe('live Stripe keys', () => {
  it.each([
    [{ STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_1' }, /^STRIPE_WEBHOOK_SECRET and .* are the same: /],
    [{ AUTH_SECRET: 'a'.repeat(32) }, /^AUTH_SECRET is too simple for live Stripe keys: /],
    [{ AUTH_SECRET: 'ab'.repeat(20) }, /^AUTH_SECRET is too simple for live Stripe keys: /],
    [{ MAIL_FROM: 'garbage' }, /^MAIL_FROM is "garbage": /],
    [{ MAIL_FROM: 'Drops <drops>' }, /^MAIL_FROM is "Drops <drops>": /],
  ])('are refused with %j', (variables, problem) => {
    expect(readEnvironment({ ...live, ...variables }).problems).toEqual([expect.stringMatching(problem)])
  })

  it.each([
    { AUTH_SECRET: '0123456789abcdef0123456789abcdef' },
    { MAIL_FROM: 'drops@drops.example' },
    { MAIL_FROM: '"Drops, Inc." <drops@drops.example>' },
    { MAIL_FROM: 'Drops <drops@localhost>' },
  ])('are accepted with %j', (variables) => {
    expect(readEnvironment({ ...live, ...variables }).problems).toEqual([])
  })

  it('may have one signing secret for both endpoints only in test mode', () => {
    const test = { STRIPE_SECRET_KEY: 'sk_test_1', NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
    expect(readEnvironment({ ...live, ...test, STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_1' }).problems).toEqual([])
  })

  it('are accepted when every setting that they need is valid', () => {
    const { problems, values } = readEnvironment(live)
    expect(problems).toEqual([])
    expect(values).toMatchObject({ payments: 'live', isExposed: true, seedDemo: false })
  })

  it.each([
    ['plain http', { APP_URL: 'http://drops.example' }, /^APP_URL .*https/],
    ['no APP_URL', { APP_URL: '' }, /^APP_URL .*https/],
    ['no sender', { MAIL_FROM: '' }, /^MAIL_FROM is missing/],
    ['the default sender', { MAIL_FROM: 'Lastcall <no-reply@lastcall.example>' }, /^MAIL_FROM is missing/],
    ['a guessed password', { ADMIN_PASSWORD: 'password-2026' }, /^ADMIN_PASSWORD is too weak/],
    ['a password of common words', { ADMIN_PASSWORD: 'changeme2024' }, /^ADMIN_PASSWORD is too weak/],
    ['a short password', { ADMIN_PASSWORD: 'kT9-wool' }, /^ADMIN_PASSWORD is too weak/],
    ["the demo's password", { ADMIN_PASSWORD: 'lastcall-demo' }, /^ADMIN_PASSWORD is too weak/],
    ['the demo', { SEED_DEMO: '1' }, /^SEED_DEMO/],
    ['a missing key', { STRIPE_WEBHOOK_SECRET: '' }, /^STRIPE_WEBHOOK_SECRET is missing/],
    ['mixed modes', { NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /a live key and .* a test key/],
    ['swapped keys', { STRIPE_SECRET_KEY: 'pk_live_1' }, /^STRIPE_SECRET_KEY is not a secret key/],
    ['a wrong secret', { STRIPE_WEBHOOK_SECRET: 'we_123' }, /^STRIPE_WEBHOOK_SECRET is not a signing secret/],
  ])('are refused with %s', (_name, change, problem) => {
    expect(readEnvironment({ ...live, ...change }).problems).toEqual([expect.stringMatching(problem)])
  })
})

describe('isExposed', () => {
  it.each([
    [{}, false],
    [{ HOST: '127.0.0.1' }, false],
    [{ HOST: 'my-laptop' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '192.168.1.5' }, true],
    [{ APP_URL: 'https://drops.example', HOST: '127.0.0.1' }, true],
  ])('for the variables %j it is %j', (variables, isExposed) => {
    // The demo is off where others can reach it, because its passwords are published.
    expect(readEnvironment(variables).values).toMatchObject({ isExposed, seedDemo: !isExposed })
  })
})

describe('isExposed under a server that is not ours', () => {
  it.each([
    [null, {}, true],
    // Next ignores HOST, so it still listens on every address.
    [null, { HOST: '127.0.0.1' }, true],
    ['0.0.0.0', {}, true],
    ['my-laptop', {}, true],
    ['127.attacker.example', {}, true],
    ['localhost', {}, false],
    ['127.0.0.1', {}, false],
    ['::1', {}, false],
    ['localhost', { HOST: '0.0.0.0' }, true],
    ['localhost', { APP_URL: 'https://drops.example' }, true],
  ])('with the host %s and the variables %j it is %j', (host, variables, isExposed) => {
    expect(readEnvironment(variables, { host }).values.isExposed).toBe(isExposed)
  })
})

describe("next-auth's names of variables", () => {
  const secret = '0123456789abcdef0123456789abcdef'

  it('are accepted in place of our names', () => {
    const { problems, values } = readEnvironment({
      NEXTAUTH_URL: 'https://drops.example/api/auth',
      NEXTAUTH_SECRET: secret,
    })
    expect(problems).toEqual([])
    expect(values).toMatchObject({ appUrl: 'https://drops.example', authSecret: secret })
  })

  it('must not have values that differ from those of our names', () => {
    const { problems } = readEnvironment({ AUTH_SECRET: secret, NEXTAUTH_SECRET: `${secret}0` })
    expect(problems).toEqual(['AUTH_SECRET and NEXTAUTH_SECRET differ: keep only AUTH_SECRET.'])
  })
})

describe('databases', () => {
  const base = { AUTH_SECRET: '0123456789abcdef0123456789abcdef', DATABASE_URL: 'postgresql://a:b@pooler:6432/shop' }

  it('may have separate URLs for statements, for work that needs a session, and for reads', () => {
    const { problems, values } = readEnvironment({
      ...base,
      DIRECT_DATABASE_URL: 'postgresql://a:b@primary:5432/shop?sslmode=verify-full',
      READ_DATABASE_URL: 'postgresql://a:b@replica:5432/shop',
    })
    expect(problems).toEqual([])
    expect(values).toMatchObject({ directDatabaseUrl: expect.stringContaining('primary') as string })
  })

  it.each([
    ['a pooler alone', { DATABASE_URL: `${base.DATABASE_URL}?pgbouncer=true` }, /^DIRECT_DATABASE_URL is missing/],
    ['an unknown sslmode', { DATABASE_URL: `${base.DATABASE_URL}?sslmode=on` }, /^DATABASE_URL has sslmode=on/],
    ['verify-ca alone', { DATABASE_URL: `${base.DATABASE_URL}?sslmode=verify-ca` }, /without sslrootcert/],
    ['another scheme', { READ_DATABASE_URL: 'mysql://x' }, /^READ_DATABASE_URL is not a Postgres address/],
    ['no main one', { DATABASE_URL: '', READ_DATABASE_URL: base.DATABASE_URL }, /set without DATABASE_URL/],
  ])('%s prevents the start', (_name, change, problem) => {
    expect(readEnvironment({ ...base, ...change }).problems).toEqual([expect.stringMatching(problem)])
  })
})

describe('the brand', () => {
  it('has no settings by default', () => expect(readEnvironment({}).values.brand).toEqual({}))

  it('gets its name, its contacts and its legal name from the environment', () => {
    const { problems, values } = readEnvironment({
      BRAND_NAME: 'Flash',
      SUPPORT_EMAIL: 'help@flash.example',
      LEGAL_NAME: 'F',
    })
    expect(problems).toEqual([])
    expect(values.brand).toEqual({ name: 'Flash', legalName: 'F', contact: { support: 'help@flash.example' } })
  })

  it('has a name that is also the name of the sender unless MAIL_FROM is set', () => {
    const senderOf = (raw: Record<string, string>) => readEnvironment(raw).values.mailFrom
    expect(senderOf({})).toBe('Lastcall <no-reply@lastcall.example>')
    expect(senderOf({ BRAND_NAME: 'Flash, Inc. "NY"' })).toBe('"Flash, Inc. NY" <no-reply@lastcall.example>')
    expect(senderOf({ BRAND_NAME: 'Flash', MAIL_FROM: 'Me <me@flash.example>' })).toBe('Me <me@flash.example>')
  })

  it.each([
    ['LEGAL_EMAIL', 'nobody'],
    ['BRAND_NAME', 'x'.repeat(41)],
  ])('is refused when %s is invalid', (name, value) => {
    expect(readEnvironment({ [name]: value }).problems).toEqual([expect.stringMatching(name)])
  })
})

describe('the number of sessions opened at Stripe per second', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  }
  const paceOf = (environment: Record<string, string>) => readEnvironment(environment).values.stripeSessionsPerSecond

  it("stays below Stripe's limit of 25 with keys of Stripe, and is not limited in the sandbox", () => {
    expect(paceOf(keys)).toBe(21)
    expect(paceOf({})).toBe(0)
  })

  it('can be set with STRIPE_SESSIONS_PER_SECOND', () =>
    expect(paceOf({ ...keys, STRIPE_SESSIONS_PER_SECOND: '100' })).toBe(100))

  it.each(['fast', '-1', '2.5', '100000'])('must not be %s', (value) => {
    expect(readEnvironment({ STRIPE_SESSIONS_PER_SECOND: value }).problems).toEqual([
      expect.stringMatching(/^STRIPE_SESSIONS_PER_SECOND is/),
    ])
  })
})

describe('Stripe Tax', () => {
  it.each([
    [{}, false],
    [{ STRIPE_TAX: '0' }, false],
    [{ STRIPE_TAX: '1' }, true],
  ])('%j means %s', (environment, isOn) => expect(readEnvironment(environment).values.hasStripeTax).toBe(isOn))

  it('must be 0 or 1', () =>
    expect(readEnvironment({ STRIPE_TAX: 'on' }).problems).toEqual(['STRIPE_TAX is "on": give 0 or 1.']))
})

describe('the limit of unverified sellers', () => {
  const live = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  }
  const limitOf = (environment: Record<string, string>) => readEnvironment(environment).values.sellerLimit

  it('is $1,000 a month with live keys, and off without them', () => {
    expect(limitOf(live)).toEqual({ capCents: 100_000, homeCountry: 'US' })
    expect(limitOf({})).toBeNull()
    expect(
      limitOf({ ...live, STRIPE_SECRET_KEY: 'sk_test_1', NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }),
    ).toBeNull()
  })

  it('can be set and switched off', () => {
    expect(limitOf({ UNVERIFIED_MONTHLY_CAP_CENTS: '5000', UNVERIFIED_HOME_COUNTRY: 'DE' })).toEqual({
      capCents: 5_000,
      homeCountry: 'DE',
    })
    expect(limitOf({ ...live, UNVERIFIED_MONTHLY_CAP_CENTS: '0' })).toBeNull()
  })

  it.each([
    ['UNVERIFIED_MONTHLY_CAP_CENTS', '$1,000'],
    ['UNVERIFIED_MONTHLY_CAP_CENTS', '-1'],
    ['UNVERIFIED_MONTHLY_CAP_CENTS', '9.5'],
    ['UNVERIFIED_HOME_COUNTRY', 'Germany'],
    ['UNVERIFIED_HOME_COUNTRY', 'de'],
  ])('%s must not be %s', (name, value) =>
    expect(readEnvironment({ [name]: value }).problems).toEqual([expect.stringMatching(`^${name} is`)]),
  )
})
