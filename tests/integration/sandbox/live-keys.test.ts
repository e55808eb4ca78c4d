// With live keys the process must not load any module of the stand-in, because real payments must never reach the
// stand-in.
const LIVE = {
  APP_URL: 'https://lastcall.example',
  NEXTAUTH_URL: 'https://lastcall.example',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdefghijklmn',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmn',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_connect0123456789abcdefg',
  MAIL_FROM: 'Drops <drops@lastcall.example>',
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789abcdefghijklmn',
}

/** Returns the modules of the stand-in that this test file has loaded so far. Jest lists them in `require.cache`. */
const loadedFromSandbox = () => Object.keys(require.cache).filter((file) => file.includes('/lib/sandbox/'))

it('loads no module of the stand-in with live keys', async () => {
  Object.assign(process.env, LIVE)
  const { paymentsMode, standIn, stripe } = await import('@/lib/infra/stripe')
  expect(paymentsMode()).toBe('live')
  expect(standIn()).toBeNull()
  expect(stripe().getApiField('host')).toBe('api.stripe.com')
  await import('@/lib/jobs/start-jobs')
  await import('@/lib/webhooks/receive-stripe-event')
  await import('@/prisma/seed/prepare')
  for (const kind of ['checkout', 'billing', 'connect', 'elements']) {
    const { GET } = (await import(`@/app/sandbox/${kind}/[...path]/route`)) as {
      GET: (request: Request) => Promise<Response>
    }
    expect((await GET(new Request(`https://lastcall.example/sandbox/${kind}/x`))).status).toBe(404)
  }
  expect(loadedFromSandbox()).toEqual([])
})

it('the check of the previous test would find a loaded module of the stand-in', async () => {
  await import('@/lib/sandbox/stripe/ids')
  expect(loadedFromSandbox()).toHaveLength(1)
})
