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
 * }} World `see` prints what was seen, and what is documented when that differs; the stand-in does what is documented;
 *   `run` marks everything that is made; `account` is the connected account, once there is one
 */

/**
 * Pays $24 by card.
 * @param {World} world
 * @param {{ name: string, card: string }} sale
 */
export async function pay({ stripe, run }, { name, card }) {
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
 * The refusal of a call that Stripe must refuse.
 * @param {Promise<unknown>} call
 */
export async function refusalOf(call) {
  try {
    await call
  } catch (error) {
    return /** @type {Stripe.errors.StripeError} */ (error)
  }
  throw new Error('this should have been refused')
}
