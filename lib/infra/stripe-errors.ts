import 'server-only'

// By name, not by class: each of Next's bundles has a copy of the SDK, and the client is shared between them.
const typeOf = (error: unknown) => (error as { type?: unknown } | null)?.type

const UNAVAILABLE = ['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']

/** Whether Stripe is away, slow or turning us down for now, so that the answer is 503 and a later try may succeed. */
export function isStripeUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(String(typeOf(error)))
}

/** Whether Stripe itself failed: what it has done is not known, and it answers the same under the same key. */
export function isStripeFailure(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode !== 409
}

/** Whether Stripe has examined the call and will not do it, however often it is asked. */
export function isStripeDenial(error: unknown): boolean {
  return String(typeOf(error)).startsWith('Stripe') && !isStripeUnavailable(error)
}

/** Whether an idempotency key was used before with other parameters: what the earlier call did is not known. */
export function isStripeKeyReused(error: unknown): boolean {
  return typeOf(error) === 'StripeIdempotencyError'
}

/** Whether Stripe refused because the object is no longer in the state the call expects. */
export function isStripeRefusal(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError'
}

/**
 * Whether Stripe has no such object for us, as after a change of keys. An account that is unknown, deleted or has withdrawn
 * its authorisation is a permission error with the code `account_invalid`, not a missing object.
 */
export function isStripeMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    (isStripeRefusal(error) && code === 'resource_missing') ||
    (typeOf(error) === 'StripePermissionError' && code === 'account_invalid')
  )
}

/** Whether another request under the same idempotency key is still running at Stripe (409): its answer comes in a moment. */
export function isStripeKeyInUse(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode === 409
}

/** Whether the whole payment has gone back already, by hand or by an earlier call whose key Stripe has forgotten. */
export function isStripeAlreadyRefunded(error: unknown): boolean {
  return isStripeRefusal(error) && (error as { code?: unknown }).code === 'charge_already_refunded'
}

/** Whether a refund is refused because the payment is disputed. Stripe uses several codes for it. */
export function isStripeDisputed(error: unknown): boolean {
  const codes = ['charge_disputed', 'refund_disputed_payment', 'charge_not_refundable']
  return isStripeRefusal(error) && codes.includes(String((error as { code?: unknown }).code))
}
