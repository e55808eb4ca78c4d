import 'server-only'
import type { Instrumentation } from 'next'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { log } from '@/lib/infra/log'
import { countRequestError } from '@/lib/infra/metrics'
import { isStorageUnavailable } from '@/lib/infra/storage/driver'
import { isStripeUnavailable } from '@/lib/infra/stripe-errors'
import { answering } from '@/lib/kernel/answering.mjs'
import { newId } from '@/lib/kernel/id'
import { describeError } from './describe-error'

/**
 * Counts and logs an error that reached Next from a page, a server action or a handler that failed outside answer().
 * The URL is left out, because it may be the secret link of an order. The name of the route is enough. A page that
 * failed because the database, Stripe or the storage is unavailable responds with 503.
 */
export function noteRequestError(
  ...[error, { method }, { routePath, routeType }]: Parameters<Instrumentation.onRequestError>
): void {
  countRequestError(routeType)
  const answer = answering().getStore()
  if (answer && (isDatabaseUnavailable(error) || isStripeUnavailable(error) || isStorageUnavailable(error)))
    answer.isUnavailable = true
  const requestId = newId('req')
  // The error page shows the digest, so that a person who writes to us can quote it.
  const digest = error instanceof Error && 'digest' in error ? String(error.digest).slice(0, 40) : undefined
  log().error(
    { requestId, digest, method, route: routePath, kind: routeType, cause: describeError(error) },
    'page failed',
  )
}
