// This file is plain JavaScript, because next.config.js imports it too.

/** The request header in which the middleware passes the nonce of a page to the layout and to the offline page. */
export const NONCE_HEADER = 'x-lastcall-nonce'

/** The path to which browsers report violations of the policy. */
const REPORT_PATH = '/api/csp-report'

/**
 * The sources that Stripe's form needs, according to Stripe's security guide
 * (docs.stripe.com/security/guide#content-security-policy). The guide also lists maps.googleapis.com, for an address
 * form that we do not use.
 */
const STRIPE = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  connect: ['https://api.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  image: ['https://*.stripe.com'],
}

/** The sources of Link. This wallet in Stripe's form signs its customers in and shows their cards. */
const LINK = ['https://link.com', 'https://*.link.com']

/**
 * The pages with Stripe's form. They always need a full page load, because a client-side navigation would keep the old
 * page's policy.
 */
const PAYMENT_PAGE = /^\/checkout\/[^/]+$/

/** The drop pages, which offer wallets where Stripe's publishable key is set (ADR 0059). */
const WALLET_PAGE = /^\/drop\/[^/]+$/

/** The pages with Stripe's form, as a path pattern for next.config.js. */
export const PAYMENT_PAGES = '/checkout/:dropId'

/**
 * Whether a page has Stripe's form.
 * @param {string} pathname
 */
export const isPaymentPage = (pathname) => PAYMENT_PAGE.test(pathname)

/**
 * Whether a page can have the buttons of wallets.
 * @param {string} pathname
 */
export const isWalletPage = (pathname) => WALLET_PAGE.test(pathname)

/**
 * Returns the policy that says what pages may load and connect to. An inline script runs only with the nonce of its
 * response. The shared cache, whose responses are the same for everyone, replaces the nonce with hashes (ADR 0051).
 * @param {{ isProduction: boolean, isPayment?: boolean, nonce?: string, uploadOrigins?: string[] }} options
 *   `isPayment`: whether the page has Stripe's form or wallets; `uploadOrigins`: the origins to which browsers send
 *   files without passing through this server
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
 * Returns the two headers that decide whether wallets work. Pages with Stripe's form or its wallet buttons allow the
 * Payment Request API in Stripe's frames, and stay connected to the windows in which a buyer confirms. All other pages
 * limit both, and passkeys, to our own origin. Pages with the form do not restrict passkeys, because Link may ask for
 * one of its own in its frame. No page may use the camera, the microphone or the location.
 * @param {{ isPayment: boolean }} options
 */
export function walletHeaders({ isPayment }) {
  const own = isPayment
    ? 'payment=(self "https://js.stripe.com" "https://*.js.stripe.com")'
    : 'payment=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)'
  return [
    { key: 'Cross-Origin-Opener-Policy', value: isPayment ? 'same-origin-allow-popups' : 'same-origin' },
    { key: 'Permissions-Policy', value: `camera=(), microphone=(), geolocation=(), ${own}` },
  ]
}
