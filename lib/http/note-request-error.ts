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
 * Logs and counts an error that reached Next: a page, a server action or a handler that failed outside answer(). The
 * address is left out, because it may hold the secret link of an order; the name of the route is enough. A page that failed
 * because the database, Stripe or the storage is away answers 503.
 */
export function noteRequestError(
  ...[error, { method }, { routePath, routeType }]: Parameters<Instrumentation.onRequestError>
): void {
  countRequestError(routeType)
  const answer = answering().getStore()
  if (answer && (isDatabaseUnavailable(error) || isStripeUnavailable(error) || isStorageUnavailable(error)))
    answer.isUnavailable = true
  const requestId = newId('req')
  // The error page shows the digest, so that somebody who writes to us can name it.
  const digest = error instanceof Error && 'digest' in error ? String(error.digest).slice(0, 40) : undefined
  log().error(
    { requestId, digest, method, route: routePath, kind: routeType, cause: describeError(error) },
    'page failed',
  )
}
