// Plain JavaScript, because next.config.js and the shared cache import it too.

/** The header in which the middleware passes the nonce of a page to its layout. */
export const NONCE_HEADER = 'x-lastcall-nonce'

/** Where browsers report what the policy has stopped. */
const REPORT_PATH = '/api/csp-report'

/**
 * What Stripe's form loads, as Stripe's security guide lists it
 * (docs.stripe.com/security/guide#content-security-policy). The guide also lists maps.googleapis.com, for an address form
 * that we do not use.
 */
const STRIPE = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  image: ['https://*.stripe.com'],
}

/** Where Link, one of the wallets in Stripe's form, signs its customers in and shows their cards. */
const LINK = ['https://link.com', 'https://*.link.com']

/** The pages with Stripe's form. They are always loaded whole: a navigation by script would keep the old page's policy. */
const PAYMENT_PAGE = /^\/checkout\/[^/]+$/

/** The same pages, as next.config.js names them. */
export const PAYMENT_PAGES = '/checkout/:dropId'

/**
 * Whether a page has Stripe's form.
 * @param {string} pathname
 */
export const isPaymentPage = (pathname) => PAYMENT_PAGE.test(pathname)

/**
 * The policy that says what pages may load and connect to. An inline script runs only with the nonce of its answer; the
 * shared cache, whose answers are the same for everybody, replaces the nonce by hashes (ADR 0051).
 * @param {{ isProduction: boolean, isPayment?: boolean, nonce?: string, uploadOrigins?: string[] }} options `isPayment`:
 *   whether the page has Stripe's form; `uploadOrigins`: where browsers send files without passing through this server
 */
export function contentSecurityPolicy({ isProduction, isPayment = false, nonce, uploadOrigins = [] }) {
  const payment = (/** @type {string[]} */ ...sources) => (isPayment ? sources : [])
  return [
    "default-src 'self'",
    [
      "script-src 'self'",
      ...(nonce ? [`'nonce-${nonce}'`] : []),
      ...payment(...STRIPE.script),
      ...(isProduction ? [] : ["'unsafe-eval'"]),
    ].join(' '),
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...payment(...STRIPE.image, ...LINK)].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...payment(...STRIPE.connect, ...LINK), ...uploadOrigins].join(' '),
    ['frame-src', ...(isPayment ? [...STRIPE.frame, ...LINK] : ["'none'"])].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    // The Buy button of a drop is a form that is answered with a redirect to Stripe's payment page.
    "form-action 'self' https://checkout.stripe.com",
    "frame-ancestors 'none'",
    `report-uri ${REPORT_PATH}`,
  ].join('; ')
}

/**
 * The headers by which Stripe's form may open wallets: with the Payment Request API inside its frames, and in windows in
 * which a buyer confirms. Every other page limits both to our own origin.
 * @param {{ isPayment: boolean }} options
 */
export function walletHeaders({ isPayment }) {
  const payment = isPayment ? 'payment=(self "https://js.stripe.com" "https://*.js.stripe.com")' : 'payment=(self)'
  return [
    { key: 'Cross-Origin-Opener-Policy', value: isPayment ? 'same-origin-allow-popups' : 'same-origin' },
    { key: 'Permissions-Policy', value: `camera=(), microphone=(), geolocation=(), ${payment}` },
  ]
}
