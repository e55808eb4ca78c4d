/**
 * The parameters with which the application opens a seller's account at Stripe. `npm run stripe:check` and
 * `npm run stripe:drive` open their accounts with the same ones.
 */
export const connectedAccountParams = /** @type {const} */ ({
  controller: {
    fees: { payer: 'application' },
    losses: { payments: 'application' },
    stripe_dashboard: { type: 'express' },
  },
  // Stripe allows the transfers capability alone only for platforms it has approved, so card payments are requested
  // too. No card is ever charged on these accounts.
  capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
})
