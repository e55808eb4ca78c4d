import 'server-only'

// By name, not by class: each of Next's bundles has a copy of the SDK, and the client is shared between them.
const typeOf = (error: unknown) => (error as { type?: unknown } | null)?.type

const UNAVAILABLE = ['StripeConnectionError', 'StripeRateLimitError', 'StripeAPIError']

/** Whether Stripe is away, slow or turning us down for now, so that the answer is 503 and a later try may succeed. */
export function isStripeUnavailable(error: unknown): boolean {
  return UNAVAILABLE.includes(String(typeOf(error)))
}

/** Whether Stripe itself broke: what it has done is not known, and it answers the same under the same key. */
export function isStripeFailure(error: unknown): boolean {
  return typeOf(error) === 'StripeAPIError'
}

/** Whether Stripe has looked at the call and will not do it, however often it is asked. */
export function isStripeDenial(error: unknown): boolean {
  return String(typeOf(error)).startsWith('Stripe') && !isStripeUnavailable(error)
}

/** Whether Stripe refused because the object is no longer in the state the call expects. */
export function isStripeRefusal(error: unknown): boolean {
  return typeOf(error) === 'StripeInvalidRequestError'
}

/** Whether Stripe has no such object, as after a change of keys. */
export function isStripeMissing(error: unknown): boolean {
  return isStripeRefusal(error) && (error as { code?: unknown }).code === 'resource_missing'
}
