import 'server-only'

// Errors are recognized by their `type` and not with instanceof, because each of Next's bundles has its own copy of the
// SDK's classes, while all bundles use one client.
const typeOf = (error: unknown) => (error as { type?: unknown } | null)?.type

const UNAVAILABLE = ['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']

/**
 * Whether Stripe cannot be reached, fails, limits our rate, or still runs a request with the same idempotency key. A
 * later attempt may succeed, so we respond with 503 by default.
 */
export function isStripeUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(String(typeOf(error)))
}

/**
 * Whether Stripe answered with 429: there were too many calls, or another call has locked the object. Stripe has then
 * changed nothing.
 */
export function isStripeLimit(error: unknown): boolean {
  return typeOf(error) === 'StripeRateLimitError'
}

/**
 * Whether Stripe itself failed. It is then unknown whether the call took effect, and Stripe repeats the failure for the
 * same idempotency key.
 */
export function isStripeFailure(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode !== 409
}

/**
 * Whether Stripe refused the call, and not only for the moment. The same idempotency key may get the same refusal
 * again, so a later attempt needs a new key.
 */
export function isStripeDenial(error: unknown): boolean {
  return String(typeOf(error)).startsWith('Stripe') && !isStripeUnavailable(error)
}

/** Whether Stripe does not accept our secret key, for example because it was replaced in the Dashboard. */
export function isStripeKeyRefused(error: unknown): boolean {
  return typeOf(error) === 'StripeAuthenticationError'
}

/**
 * Whether an idempotency key was already used with other parameters. It is then unknown what the earlier call did.
 */
export function isStripeKeyReused(error: unknown): boolean {
  return typeOf(error) === 'StripeIdempotencyError'
}

/**
 * Whether Stripe refused the request as invalid, for example because the object is missing or no longer in the state
 * that the call needs.
 */
export function isStripeRefusal(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError'
}

/**
 * Whether Stripe does not know the object, for example after a change of keys. If an account is unknown, deleted or has
 * withdrawn its authorization, Stripe does not report a missing object. It then reports a permission error with the
 * code `account_invalid`.
 */
export function isStripeMissing(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown }
  return (
    (isStripeRefusal(error) && code === 'resource_missing') ||
    (typeOf(error) === 'StripePermissionError' && code === 'account_invalid')
  )
}

/**
 * Whether another request with the same idempotency key is still running at Stripe (409). A repeated call soon gets the
 * result of that request.
 */
export function isStripeKeyInUse(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError' && (error as { statusCode?: unknown }).statusCode === 409
}

/**
 * Whether the whole payment was already refunded, by hand or by an earlier call with another idempotency key.
 */
export function isStripeAlreadyRefunded(error: unknown): boolean {
  return isStripeRefusal(error) && (error as { code?: unknown }).code === 'charge_already_refunded'
}

/** Whether a refund is refused because the payment is disputed. Stripe uses several codes for this refusal. */
export function isStripeDisputed(error: unknown): boolean {
  const codes = ['charge_disputed', 'refund_disputed_payment', 'charge_not_refundable']
  return isStripeRefusal(error) && codes.includes(String((error as { code?: unknown }).code))
}
