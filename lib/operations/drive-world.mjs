/**
 * @import Stripe from 'stripe'
 * @typedef {{
 *   stripe: Stripe,
 *   isStandIn: boolean,
 *   print: (line: string) => void,
 *   see: (what: string, seen: unknown, documented: unknown) => void,
 *   poll: <T>(read: () => Promise<T>, isDone: (value: T) => boolean) => Promise<T>,
 *   run: string,
 *   account: string | null,
 * }} World `see` prints a result, and the documented result if it differs. `poll` reads until `isDone`, and throws after
 *   about 90 seconds. `run` marks the objects that are created. `account` is the id of the connected account, or null
 *   before it exists.
 */

/**
 * Pays $24 by card. Returns the payment intent, its charge, and the charge's balance transaction if it exists already.
 * @param {World} world
 * @param {{ name: string, card: string }} sale
 */
export async function payByCard({ stripe, run }, { name, card }) {
  const intent = await stripe.paymentIntents.create({
    amount: 2_400,
    currency: 'usd',
    confirm: true,
    payment_method: card,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    transfer_group: `${run}_${name}`,
    description: 'npm run stripe:drive',
    metadata: { run },
    expand: ['latest_charge.balance_transaction'],
  })
  const charge = /** @type {Stripe.Charge} */ (intent.latest_charge)
  return { intent, charge, movement: /** @type {Stripe.BalanceTransaction | null} */ (charge.balance_transaction) }
}

/**
 * Returns the error of a call that Stripe must refuse.
 * @param {Promise<unknown>} call
 * @throws when the call succeeds
 */
export async function refusalOf(call) {
  try {
    await call
  } catch (error) {
    return /** @type {Stripe.errors.StripeError} */ (error)
  }
  throw new Error('Stripe should have refused this call')
}
