// The variables about Stripe and the rules for their values (docs/stripe.md).
import { isUrl } from './is-url.mjs'

/** @import { Check, Get } from './env-rules.mjs' */

/**
 * @typedef {'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_CONNECT_WEBHOOK_SECRET' |
 * 'NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY'} StripeVariable
 */

/** How each of Stripe's values begins, and where the Dashboard shows it. */
const STRIPE_FORMS = /** @type {const} */ ({
  STRIPE_SECRET_KEY: [/^[sr]k_(test|live)_/, 'a secret key of Stripe: it begins with sk_ or rk_ (Dashboard, API keys)'],
  STRIPE_WEBHOOK_SECRET: [/^whsec_/, 'a signing secret: it begins with whsec_ (Dashboard, Webhooks)'],
  STRIPE_CONNECT_WEBHOOK_SECRET: [/^whsec_/, 'a signing secret: it begins with whsec_ (Dashboard, Webhooks)'],
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: [
    /^pk_(test|live)_/,
    'a publishable key of Stripe: it begins with pk_ (Dashboard, API keys). Browsers receive it, so never put a secret key here',
  ],
})

/**
 * Reads Stripe's keys and secrets. Payments through Stripe need all of them, and both keys must be of the same mode.
 * @param {Get} get
 * @param {Check} check
 * @returns {{ mode: 'live' | 'test', secretKey: string | null, webhookSecret: string | null,
 *   connectWebhookSecret: string | null, publishableKey: string | null } | null} null when none of them is set
 */
export function readStripe(get, check) {
  const names = /** @type {StripeVariable[]} */ (Object.keys(STRIPE_FORMS))
  const set = {
    STRIPE_SECRET_KEY: get('STRIPE_SECRET_KEY'),
    STRIPE_WEBHOOK_SECRET: get('STRIPE_WEBHOOK_SECRET'),
    STRIPE_CONNECT_WEBHOOK_SECRET: get('STRIPE_CONNECT_WEBHOOK_SECRET'),
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: get('NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY'),
  }
  if (names.every((name) => set[name] === null)) return null
  const missing = names.filter((name) => set[name] === null)
  check(
    missing.length === 0,
    `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: real payments need all four variables of Stripe; unset the others for the sandbox.`,
  )
  for (const name of names) {
    const value = set[name]
    const [form, description] = STRIPE_FORMS[name]
    check(value === null || form.test(value), `${name} is not ${description}.`)
  }
  const modeOf = (/** @type {string | null} */ key) => /^[srp]k_(test|live)_/.exec(key ?? '')?.[1] ?? null
  const secretMode = modeOf(set.STRIPE_SECRET_KEY)
  const publicMode = modeOf(set.NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY)
  check(
    secretMode === null || publicMode === null || secretMode === publicMode,
    `STRIPE_SECRET_KEY is a ${secretMode} key and NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY a ${publicMode} key: take both from the same mode.`,
  )
  // Test keys may have one secret for both endpoints, as with `stripe listen`.
  check(
    secretMode !== 'live' ||
      set.STRIPE_WEBHOOK_SECRET === null ||
      set.STRIPE_WEBHOOK_SECRET !== set.STRIPE_CONNECT_WEBHOOK_SECRET,
    'STRIPE_WEBHOOK_SECRET and STRIPE_CONNECT_WEBHOOK_SECRET are the same: each endpoint has its own signing secret (Dashboard, Webhooks).',
  )
  return {
    mode: secretMode === 'live' ? 'live' : 'test',
    secretKey: set.STRIPE_SECRET_KEY,
    webhookSecret: set.STRIPE_WEBHOOK_SECRET,
    connectWebhookSecret: set.STRIPE_CONNECT_WEBHOOK_SECRET,
    publishableKey: set.NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY,
  }
}

/**
 * Reads whether Stripe Tax calculates the tax of every sale (docs/stripe.md#taxes).
 * @param {Get} get
 * @param {Check} check
 */
export function readStripeTax(get, check) {
  const tax = get('STRIPE_TAX')
  check(tax === null || ['0', '1'].includes(tax), `STRIPE_TAX is "${tax}": give 0 or 1.`)
  return tax === '1'
}

/**
 * Reads the URL of a program that is called instead of Stripe's API. This program sees the secret key and decides
 * which payments count as paid. It must therefore run on this machine, and the key must be a test key.
 * @param {string | null} url
 * @param {string | null} secretKey
 * @param {Check} check
 */
export function readStripeApiUrl(url, secretKey, check) {
  if (url === null) return null
  const isLoopback =
    isUrl(url, ['http:']) &&
    new URL(url).origin === url &&
    /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(new URL(url).hostname)
  check(
    isLoopback,
    'STRIPE_API_URL may only name the stand-in on this machine: give an origin like http://127.0.0.1:4242, or unset it for Stripe itself.',
  )
  check(
    secretKey !== null && secretKey.startsWith('sk_test_'),
    'STRIPE_API_URL needs a test key: set STRIPE_SECRET_KEY to one that begins with sk_test_, or unset it.',
  )
  return isLoopback ? url : null
}
