import { readFileSync } from 'node:fs'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from '@/lib/kernel/stripe-events.mjs'
import { runNode } from '@/tests/support/run-node'

it('knows every event that the application handles', () => {
  const source = readFileSync('lib/webhooks/receive-stripe-event.ts', 'utf8')
  const handled = [...source.matchAll(/case '([a-z_.]+)':/g)].map(([, type]) => type)
  expect([...new Set(handled)].sort()).toEqual([...PLATFORM_EVENTS, ...CONNECT_EVENTS].sort())
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
    ['neither keys are set nor the sandbox runs', { PORT: '9' }, /^Neither are Stripe's keys set, nor .*\n$/],
  ])('ends with 1 and one line when %s', async (_name, env, line) => {
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
