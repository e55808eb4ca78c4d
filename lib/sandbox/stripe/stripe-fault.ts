import 'server-only'
import type Stripe from 'stripe'

type StripeErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** The `error` field of a response, as Stripe writes it. */
export type StripeErrorBody = {
  type: StripeErrorType
  message: string
  code?: string
  param?: string
  decline_code?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
}

/** An error response. If a request throws it, everything that the request wrote is rolled back. */
export class StripeFault extends Error {
  readonly status: number
  readonly body: StripeErrorBody
  /** Whether the parameters were invalid. Stripe does not keep such a response under its idempotency key. */
  readonly isValidation: boolean
  readonly headers: Record<string, string>

  constructor(
    status: number,
    body: StripeErrorBody,
    { isValidation = false, headers = {} }: { isValidation?: boolean; headers?: Record<string, string> } = {},
  ) {
    super(body.message)
    this.name = 'StripeFault'
    this.status = status
    this.body = body
    this.isValidation = isValidation
    this.headers = headers
  }
}

/** Creates a 400 `invalid_request_error`. */
export function invalidRequest(message: string, details: { code?: string; param?: string } = {}): StripeFault {
  return new StripeFault(400, { type: 'invalid_request_error', message, ...details })
}

/** Creates a 404 `resource_missing` with a message such as "No such charge: 'ch_1'". */
export function noSuch(kind: string, id: string, param = 'id'): StripeFault {
  const message = `No such ${kind}: '${id}'`
  return new StripeFault(404, { type: 'invalid_request_error', code: 'resource_missing', message, param })
}

/**
 * Creates a 403 `account_invalid` for a connected account that is unknown, is deleted or has withdrawn its
 * authorization. Stripe responds with a permission error here, not with "missing" (docs.stripe.com/error-codes).
 */
export function accountInvalid(id: string): StripeFault {
  return new StripeFault(403, {
    type: 'invalid_request_error',
    code: 'account_invalid',
    message: `The provided key does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
  })
}
