import { contentSecurityPolicy, isPaymentPage, isWalletPage, walletHeaders } from './content-security-policy.mjs'

const directivesOf = (isPayment: boolean, uploadOrigins?: string[]) =>
  Object.fromEntries(
    contentSecurityPolicy({ isProduction: true, isPayment, ...(uploadOrigins && { uploadOrigins }) })
      .split('; ')
      .map((directive) => {
        const [name = '', ...sources] = directive.split(' ')
        return [name, sources]
      }),
  )

// Stripe lists these sources at docs.stripe.com/security/guide#content-security-policy.
it('lets the pages with the form load scripts and frames of Stripe, and connect to Stripe and Link', () => {
  const page = directivesOf(true)
  expect(page['script-src']).toEqual(expect.arrayContaining(['https://js.stripe.com', 'https://*.js.stripe.com']))
  expect(page['connect-src']).toEqual(expect.arrayContaining(['https://api.stripe.com', 'https://*.link.com']))
  expect(page['frame-src']).toEqual(
    expect.arrayContaining(['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com']),
  )
  expect(page['frame-src']).not.toContain("'none'")
})

it('lets other pages load nothing from Stripe, but send a form to its payment page', () => {
  const { 'form-action': forms, ...others } = directivesOf(false)
  expect(forms).toEqual(["'self'", 'https://checkout.stripe.com'])
  expect(JSON.stringify(others)).not.toMatch(/stripe|link\.com/)
})

it('allows the origins of uploads on every page', () => {
  for (const isPayment of [true, false]) {
    expect(directivesOf(isPayment, ['https://files.example'])['connect-src']).toContain('https://files.example')
  }
})

it("allows the Payment Request API in Stripe's frames, and windows of other origins, only on pages with the form", () => {
  const [opener, permissions] = walletHeaders({ isPayment: true })
  expect(opener?.value).toBe('same-origin-allow-popups')
  expect(permissions?.value).toContain('payment=(self "https://js.stripe.com" "https://*.js.stripe.com")')
  expect(walletHeaders({ isPayment: false }).map(({ value }) => value)).toEqual([
    'same-origin',
    'camera=(), microphone=(), geolocation=(), payment=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)',
  ])
})

it.each([
  ['/checkout/12', true],
  ['/checkout', false],
  ['/checkout/12/more', false],
  ['/drop/checkout', false],
])('reports whether the page %s has the form: %s', (path, expected) => expect(isPaymentPage(path)).toBe(expected))

it.each([
  ['/drop/d123456789', true],
  ['/drop/my-mug', true],
  ['/drop/my-mug/runs', false],
  ['/drop', false],
  ['/profile/drop', false],
])('reports whether the page %s can have wallets: %s', (path, expected) => expect(isWalletPage(path)).toBe(expected))
