import 'server-only'
import { QueueFull } from '@/lib/infra/bounded-queue'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { log } from '@/lib/infra/log'
import { countAnswer } from '@/lib/infra/metrics'
import { isStorageUnavailable } from '@/lib/infra/storage/driver'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { AppError } from '@/lib/kernel/app-error'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { describeError } from './describe-error'
import { failed } from './responses'
import { workAfterAnswer } from './work-after-answer'

/**
 * Refusals with status 503 although nothing has failed: the platform is paused, payments are not set up, or the buyer's
 * units are held while the buyer waits in line.
 */
const INTENDED = new Set(['PLATFORM_DISABLED', 'PAYMENTS_OFF', 'IN_LINE'])

/**
 * Runs a handler and returns its response with a request id, which the log lines of the request contain too. An error
 * that the handler throws becomes an error response. Counts the response for /api/metrics and schedules the work that
 * is done after a response.
 * @param refuse builds the error response, which is JSON by default.
 */
export async function answer(
  request: Request,
  respond: (requestId: string) => Promise<Response>,
  refuse: (refusal: AppError, requestId: string) => Response = failed,
): Promise<Response> {
  const requestId = newId('req')
  let isIntended = false
  const response = await respond(requestId).catch((error: unknown) => {
    const refusal = toAppError(error, requestId, request)
    isIntended = INTENDED.has(refusal.code)
    return refuse(refusal, requestId)
  })
  response.headers.set('X-Request-Id', requestId)
  countAnswer(isIntended ? 'intended' : response.status)
  workAfterAnswer({ isWrite: request.method !== 'GET' && request.method !== 'HEAD' })
  return response
}

/**
 * Returns the path of a request for the log. The tokens of orders, claims and reminders and the ids of Stripe are left
 * out, because anyone who has one of them may read and change what belongs to it.
 */
function loggedPath(request: Request): string {
  return new URL(request.url).pathname.replace(
    /(?<=\/)(?:[A-Za-z0-9_-]{40,}|(?:cs|pi)_[A-Za-z0-9_]+)(?=\/|$)/g,
    '[token]',
  )
}

/**
 * Logs an error and returns the error for the client. An AppError is returned unchanged. A full queue becomes BUSY.
 * When the database, Stripe or the storage is unavailable, the error becomes UNAVAILABLE. Any other error becomes
 * INTERNAL.
 */
export function toAppError(error: unknown, requestId: string, request?: Request): AppError {
  if (error instanceof AppError) {
    log().info({ requestId, code: error.code, status: error.status }, 'refused')
    return error
  }
  if (error instanceof QueueFull) {
    log().warn({ requestId, cause: error.message }, 'busy')
    return platformError('BUSY', { retryAfterSeconds: error.retryAfterSeconds })
  }
  const path = request && loggedPath(request)
  const cause = describeError(error)
  if (isDatabaseUnavailable(error)) {
    log().error({ requestId, path, cause: cause.message }, 'database unavailable')
    return platformError('UNAVAILABLE', { retryAfterSeconds: 2 })
  }
  if (isStripeUnavailable(error)) {
    log().error({ requestId, path, cause: cause.message }, 'Stripe unavailable')
    return platformError('UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  if (isStorageUnavailable(error)) {
    log().error({ requestId, path, cause: cause.message }, 'storage unavailable')
    return platformError('UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  log().error({ requestId, path, cause }, 'unexpected error')
  return platformError('INTERNAL')
}
