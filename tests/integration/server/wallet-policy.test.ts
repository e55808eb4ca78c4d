import { NextRequest } from 'next/server'
import { closeDatabase } from '@/lib/infra/db'

// With Stripe's publishable key, drop pages have wallets, so their responses allow Stripe's hosts (ADR 0059).
const LIVE = {
  APP_URL: 'https://lastcall.example',
  NEXTAUTH_URL: 'https://lastcall.example',
  STRIPE_SECRET_KEY: 'sk_live_0123456789abcdefghijklmn',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmn',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_connect0123456789abcdefg',
  MAIL_FROM: 'Drops <drops@lastcall.example>',
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_0123456789abcdefghijklmn',
}

afterAll(closeDatabase)

async function headersOf(path: string): Promise<Headers> {
  const { middleware } = await import('@/middleware')
  return (await middleware(new NextRequest(`https://lastcall.example${path}`))).headers
}

it('with live keys, drop pages may load and open what wallets need, and other pages may not', async () => {
  Object.assign(process.env, LIVE)
  const drop = await headersOf('/drop/mug')
  expect(drop.get('content-security-policy')).toContain('https://js.stripe.com https://*.js.stripe.com')
  expect(drop.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups')
  expect(drop.get('permissions-policy')).toContain('payment=(self "https://js.stripe.com"')
  for (const path of ['/drop/mug/report', '/terms-of-service']) {
    const other = await headersOf(path)
    expect(other.get('content-security-policy')).toContain("frame-src 'none'")
    expect(other.get('content-security-policy')).not.toContain('js.stripe.com')
    expect(other.get('permissions-policy')).toBeNull()
  }
})
