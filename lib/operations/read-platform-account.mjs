import { Refusal } from './refusal.mjs'

/**
 * @import { default as Stripe } from 'stripe'
 * @typedef {Stripe.Account & { lastResponse: { headers: Record<string, string> | Headers, apiVersion?: string } }}
 *   StripeAccount
 */

/**
 * Reads the platform's own account. A successful call also shows that Stripe can be reached and accepts the key.
 * @param {Stripe} stripe
 * @throws {Refusal} with one line when Stripe cannot be reached or does not accept the key
 */
export async function readPlatformAccount(stripe) {
  return /** @type {StripeAccount} */ (await stripe.accounts.retrieveCurrent().catch(refuse))
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function refuse(error) {
  const { type, message } = /** @type {{ type?: string, message?: string }} */ (error)
  if (type === 'StripeConnectionError') {
    throw new Refusal(`Stripe cannot be reached, so nothing was checked: is there a network? (${message})`)
  }
  if (type === 'StripeAuthenticationError') {
    throw new Refusal('Stripe refuses STRIPE_SECRET_KEY: copy the current one from Dashboard, API keys.')
  }
  if (type === 'StripePermissionError') {
    throw new Refusal(`STRIPE_SECRET_KEY is a restricted key that may not read the account: ${message}`)
  }
  throw error
}
