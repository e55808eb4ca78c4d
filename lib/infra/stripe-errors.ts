import 'server-only'

// Errors are compared by name and not by class: each of Next's bundles has its own copy of the SDK, and they share one
// client.
const typeOf = (error: unknown) => (error as { type?: unknown } | null)?.type

const UNAVAILABLE = ['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']

/**
 * Whether Stripe is unavailable, slow or limits our rate, so that the status is 503 and a later attempt may succeed.
 */
export function isStripeUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(String(typeOf(error)))
}

/** Whether Stripe refused because there were too many calls; it has done nothing. */
export function isStripeLimit(error: unknown): boolean {
  return typeOf(error) === 'StripeRateLimitError'
}

/**
 * Whether Stripe itself failed. It is then not known what it has done, and it repeats the failure for the same
 * idempotency key.
 */
export function isStripeFailure(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode !== 409
}

/** Whether Stripe has examined the call and will refuse it every time. */
export function isStripeDenial(error: unknown): boolean {
  return String(typeOf(error)).startsWith('Stripe') && !isStripeUnavailable(error)
}

/**
 * Whether an idempotency key was already used with other parameters: it is then not known what the earlier call did.
 */
export function isStripeKeyReused(error: unknown): boolean {
  return typeOf(error) === 'StripeIdempotencyError'
}

/** Whether Stripe refused because the object is no longer in the state that the call needs. */
export function isStripeRefusal(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError'
}

/**
 * Whether Stripe does not know the object, for example after a change of keys. For an account that is unknown, deleted
 * or has withdrawn its authorisation Stripe reports a permission error with the code `account_invalid`, not a missing
 * object.
 */
export function isStripeMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    (isStripeRefusal(error) && code === 'resource_missing') ||
    (typeOf(error) === 'StripePermissionError' && code === 'account_invalid')
  )
}

/**
 * Whether another request with the same idempotency key is still running at Stripe (409): its result follows in a
 * moment.
 */
export function isStripeKeyInUse(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode === 409
}

/**
 * Whether the whole payment was already refunded, by hand or by an earlier call whose idempotency key Stripe has
 * forgotten.
 */
export function isStripeAlreadyRefunded(error: unknown): boolean {
  return isStripeRefusal(error) && (error as { code?: unknown }).code === 'charge_already_refunded'
}

/** Whether a refund is refused because the payment is disputed. Stripe uses several codes for it. */
export function isStripeDisputed(error: unknown): boolean {
  const codes = ['charge_disputed', 'refund_disputed_payment', 'charge_not_refundable']
  return isStripeRefusal(error) && codes.includes(String((error as { code?: unknown }).code))
}
