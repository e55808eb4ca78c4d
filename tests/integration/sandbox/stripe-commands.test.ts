import { readFileSync } from 'node:fs'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from '@/lib/kernel/stripe-events.mjs'
import { findFreePort } from '@/scripts/ports.mjs'
import { runNode } from '@/tests/support/run-node'
import { startStripe } from '@/tests/support/start-stripe.mjs'

it('the lists of events contain exactly the events that the application handles', () => {
  const source = readFileSync('lib/webhooks/receive-stripe-event.ts', 'utf8')
  const handled = [...source.matchAll(/case '([a-z_.]+)':/g)].map(([, type]) => type)
  expect([...new Set(handled)].sort()).toEqual([...PLATFORM_EVENTS, ...CONNECT_EVENTS].sort())
})

describe('with the keys of a stand-in in another process', () => {
  let stripe: Awaited<ReturnType<typeof startStripe>>
  const run = (words: string[], env: Record<string, string> = {}) => runNode(words, { ...stripe.environment, ...env })

  beforeAll(async () => {
    const port = await findFreePort()
    const databaseUrl = process.env.DATABASE_URL ?? ''
    stripe = await startStripe({ databaseUrl, appUrl: 'http://127.0.0.1:9', port, delayMs: [0, 1], isQuiet: true })
  }, 120_000)
  afterAll(() => stripe.stop())

  it('npm run stripe:check prints one line per finding, says what to do, and exits with code 1', async () => {
    const { code, stdout, stderr } = await run(['scripts/stripe-check.mjs'], { APP_URL: 'https://drops.example' })
    const lines = stdout.trimEnd().split('\n')
    const problems = lines.filter((line) => line.startsWith('✗'))
    expect([code, stderr]).toEqual([1, ''])
    expect(lines.slice(0, -1).filter((line) => !/^[✓–✗] [A-Za-z ]+: ./.test(line))).toEqual([])
    expect(problems).toEqual([
      expect.stringMatching(/^✗ platform endpoint: there is none for https:\/\/drops\.example\/api\/webhooks\/stripe/),
      expect.stringMatching(/^✗ Connect endpoint: there is none .* STRIPE_CONNECT_WEBHOOK_SECRET$/),
      expect.stringMatching(/^✗ billing portal: has no configuration: start the application/),
      expect.stringMatching(/^✗ wallets: drops\.example is not registered: start the application/),
    ])
    expect(lines.at(-1)).toBe('Left to do: 4.')
  }, 60_000)

  it('npm run stripe:drive prints the ten steps, and where Stripe would differ from the stand-in', async () => {
    const { code, stdout, stderr } = await run(['scripts/stripe-drive.mjs'])
    const lines = stdout.trimEnd().split('\n')
    expect([code, stderr, lines.filter((line) => /^ +[≠✗]/.test(line))]).toEqual([0, '', []])
    expect([lines[0], lines.at(-1)]).toEqual(['At the stand-in:', 'Everything was as documented.'])
    expect(lines.filter((line) => /^\d+\. .* \(docs\.stripe\.com\//.test(line))).toHaveLength(10)
    expect(lines.filter((line) => /^ +~ /.test(line)).length).toBeGreaterThan(2)
  }, 120_000)

  it('a key that Stripe does not know is refused in one line', async () => {
    const { code, stdout, stderr } = await run(['scripts/stripe-check.mjs'], { STRIPE_SECRET_KEY: 'sk_test_rolled' })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^Stripe refuses STRIPE_SECRET_KEY: .*\n$/)])
  })
})

describe('npm run stripe:check', () => {
  const keys = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  }
  const run = (env: Record<string, string>) => runNode(['scripts/stripe-check.mjs'], env)

  it.each([
    [
      'a key is missing',
      { ...keys, STRIPE_CONNECT_WEBHOOK_SECRET: '' },
      /^STRIPE_CONNECT_WEBHOOK_SECRET is missing: .*\n$/,
    ],
    [
      'the modes are mixed',
      { ...keys, NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' },
      /^STRIPE_SECRET_KEY is a test .*\n$/,
    ],
    [
      'no keys are set and no sandbox is running',
      { PORT: '9' },
      /^Stripe's keys are not set, and no sandbox runs on port 9: .*\n$/,
    ],
  ])('exits with code 1 and one line when %s', async (_name, env, line) => {
    const { code, stderr, stdout } = await run(env)
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(line)])
  })
})

describe('npm run stripe:drive', () => {
  it('refuses live keys', async () => {
    const { code, stderr } = await runNode(['scripts/stripe-drive.mjs'], {
      APP_URL: 'https://drops.example',
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
      NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      MAIL_FROM: 'Drops <drops@drops.example>',
    })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^STRIPE_SECRET_KEY is a live key: .*\n$/)])
  })
})
