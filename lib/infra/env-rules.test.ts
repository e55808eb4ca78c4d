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

const live = {
  APP_URL: 'https://drops.example',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  MAIL_FROM: 'Drops <drops@drops.example>',
  ADMIN_EMAIL: 'boss@drops.example',
  ADMIN_PASSWORD: 'kT9-wool-carp-47',
}

describe('live Stripe keys', () => {
  it('are accepted with everything they need', () => {
    const { problems, values } = readEnvironment(live)
    expect(problems).toEqual([])
    expect(values).toMatchObject({ payments: 'live', isExposed: true, seedDemo: false })
  })

  it.each([
    ['plain http', { APP_URL: 'http://drops.example' }, /^APP_URL .*https/],
    ['no APP_URL', { APP_URL: '' }, /^APP_URL .*https/],
    ['no sender', { MAIL_FROM: '' }, /^MAIL_FROM is missing/],
    ['a guessed password', { ADMIN_PASSWORD: 'password-2026' }, /^ADMIN_PASSWORD is too weak/],
    ['a short password', { ADMIN_PASSWORD: 'kT9-wool' }, /^ADMIN_PASSWORD is too weak/],
    ["the demo's password", { ADMIN_PASSWORD: 'lastcall-demo' }, /^ADMIN_PASSWORD is too weak/],
    ['the demo', { SEED_DEMO: '1' }, /^SEED_DEMO/],
    ['a missing key', { STRIPE_WEBHOOK_SECRET: '' }, /^STRIPE_WEBHOOK_SECRET is missing/],
    ['mixed modes', { NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }, /a live key and .* a test key/],
    ['swapped keys', { STRIPE_SECRET_KEY: 'pk_live_1' }, /^STRIPE_SECRET_KEY is not such a key/],
    ['a wrong secret', { STRIPE_WEBHOOK_SECRET: 'we_123' }, /^STRIPE_WEBHOOK_SECRET is not such a key/],
  ])('with %s stop the start', (_name, change, problem) => {
    expect(readEnvironment({ ...live, ...change }).problems).toEqual([expect.stringMatching(problem)])
  })
})

describe('what others can reach', () => {
  it.each([
    [{}, false],
    [{ HOST: '127.0.0.1' }, false],
    [{ HOST: 'my-laptop' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '192.168.1.5' }, true],
    [{ APP_URL: 'https://drops.example', HOST: '127.0.0.1' }, true],
  ])('%j: %j', (variables, isExposed) => {
    // The demo has a published password.
    expect(readEnvironment(variables).values).toMatchObject({ isExposed, seedDemo: !isExposed })
  })
})

describe('the names of next-auth', () => {
  const secret = '0123456789abcdef0123456789abcdef'

  it('stand in for ours', () => {
    const { problems, values } = readEnvironment({
      NEXTAUTH_URL: 'https://drops.example/api/auth',
      NEXTAUTH_SECRET: secret,
    })
    expect(problems).toEqual([])
    expect(values).toMatchObject({ appUrl: 'https://drops.example', authSecret: secret })
  })

  it('must not say something else', () => {
    const { problems } = readEnvironment({ AUTH_SECRET: secret, NEXTAUTH_SECRET: `${secret}0` })
    expect(problems).toEqual(['AUTH_SECRET and NEXTAUTH_SECRET differ: keep only AUTH_SECRET.'])
  })
})

describe('databases', () => {
  const base = { AUTH_SECRET: '0123456789abcdef0123456789abcdef', DATABASE_URL: 'postgresql://a:b@pooler:6432/shop' }

  it('may be three: for statements, for what needs a session, and for reading', () => {
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
  ])('%s stops the start', (_name, change, problem) => {
    expect(readEnvironment({ ...base, ...change }).problems).toEqual([expect.stringMatching(problem)])
  })
})

describe('the brand', () => {
  it('has no settings by default', () => expect(readEnvironment({}).values.brand).toEqual({}))

  it('takes name, contacts and the legal name from the environment', () => {
    const { problems, values } = readEnvironment({
      BRAND_NAME: 'Flash',
      SUPPORT_EMAIL: 'help@flash.example',
      LEGAL_NAME: 'F',
    })
    expect(problems).toEqual([])
    expect(values.brand).toEqual({ name: 'Flash', legalName: 'F', contact: { support: 'help@flash.example' } })
  })

  it.each([
    ['LEGAL_EMAIL', 'nobody'],
    ['BRAND_NAME', 'x'.repeat(41)],
  ])('%s is checked', (name, value) => {
    expect(readEnvironment({ [name]: value }).problems).toEqual([expect.stringMatching(name)])
  })
})
