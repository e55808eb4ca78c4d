import type { Instrumentation } from 'next'

/** Set by register(), because the edge runtime cannot load the module of this function. */
let noteRequestError: Instrumentation.onRequestError | undefined

/** Runs once per process before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { env } = await import('./lib/infra/env')
  try {
    env()
  } catch (error) {
    // Next would print the stack of the error, in which the line about the variable is hard to find.
    end(error instanceof Error ? error.message : String(error))
  }
  // This comes before the modules below, because some of them use the brand's name while they load
  // (lib/kernel/brand.ts).
  Object.assign(globalThis, { lastcallBrand: env().brand })
  // Traces start first, so that they include everything after this line. The module is loaded only when traces are
  // switched on.
  if (env().tracesEndpoint) (await import('./lib/infra/start-tracing')).startTracing()
  const { findMissingColumns } = await import('./lib/infra/find-missing-columns')
  const { explainDatabaseError } = await import('./lib/operations/explain-database-error.mjs')
  // Our own start script has checked this already. Behind such a pooler, statements and messages between processes fail
  // now and then (ADR 0048).
  const { serverState } = await import('./lib/kernel/server-state.mjs')
  serverState().trustedProxyHops = env().trustedProxyHops
  if (!serverState().areOurs) {
    const { transactionPoolerProblem } = await import('./lib/operations/check-database.mjs')
    const problem = await transactionPoolerProblem(env())
    if (problem !== null) end(problem)
  }
  const [missing] = await findMissingColumns().catch((error: unknown) =>
    end(explainDatabaseError('DATABASE_URL', env().databaseUrl, error)),
  )
  if (missing)
    end(`The database is not migrated to this version (it lacks ${missing}): run "npm run migrate" and start again.`)
  // Under a server that is not ours, this adds our handling of requests: checks, corrected headers and time limits.
  const { guardServers } = await import('./lib/server/guard-servers.mjs')
  guardServers()
  noteRequestError = (await import('./lib/http/note-request-error')).noteRequestError
  const { prepareApplication } = await import('./prisma/seed/prepare')
  const { retryUntilThere } = await import('./lib/kernel/retry-until-there.mjs')
  const { isDatabaseUnavailable } = await import('./lib/infra/database-errors')
  // A database that restarts at this moment must not end the process, whose supervisor would only start it again.
  await retryUntilThere(prepareApplication, {
    isTemporary: isDatabaseUnavailable,
    // On a serverless host the first visitor waits for this.
    ...(env().isServerless ? { waitMs: 0 } : {}),
    onWaiting: (error) => process.stderr.write(`… Waiting for the database: ${String(error)}\n`),
  }).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) end(explainDatabaseError('DATABASE_URL', env().databaseUrl, error))
    throw error
  })
  // Direct calls bypass Next's router. Traces begin there, and so does the work after a response on serverless hosts,
  // which uses Next's after().
  if (!env().tracesEndpoint && !env().isServerless) (await import('./app/api/direct-calls')).offerDirectCalls()
  const { startJobs } = await import('./lib/jobs/start-jobs')
  startJobs()
  // This is not awaited, so that the first request does not wait for Stripe.
  const { prepareStripe } = await import('./lib/jobs/prepare-stripe')
  void prepareStripe()
}

/** Prints what is wrong and ends the process, which cannot answer any page. */
function end(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}

/** Runs for every error that reaches Next. */
export const onRequestError: Instrumentation.onRequestError = (...failure) => {
  // This is not awaited, because the status of the response is known only a moment later.
  noteRequestError?.(...failure)
}
