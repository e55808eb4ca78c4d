import type { Instrumentation } from 'next'

/** Set by register(), because the module may not be loaded in the runtime for edges. */
let noteRequestError: Instrumentation.onRequestError | undefined

/** Runs once per process before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { env } = await import('./lib/infra/env')
  // Before anything else is loaded, because texts are made with the brand's name as their modules load (lib/kernel/brand.ts).
  Object.assign(globalThis, { lastcallBrand: env().brand })
  // Traces start first, so that they include everything after this line. The module is loaded only when traces are
  // switched on.
  if (env().tracesEndpoint) (await import('./lib/infra/start-tracing')).startTracing()
  const { findMissingColumns } = await import('./lib/infra/find-missing-columns')
  const { explainDatabaseError } = await import('./lib/operations/explain-database-error.mjs')
  const [missing] = await findMissingColumns().catch((error: unknown) =>
    end(explainDatabaseError('DATABASE_URL', env().databaseUrl, error)),
  )
  if (missing)
    end(`The database is not migrated to this version (it lacks ${missing}): run "npm run migrate" and start again.`)
  // Gives any server but our own the headers, methods and limits that our own takes care of.
  const { guardServers } = await import('./lib/server/guard-servers.mjs')
  guardServers()
  noteRequestError = (await import('./lib/http/note-request-error')).noteRequestError
  const { prepareApplication } = await import('./prisma/seed/prepare')
  await prepareApplication()
  const { startJobs } = await import('./lib/jobs/start-jobs')
  startJobs()
  // The first request need not wait for Stripe.
  const { prepareStripe } = await import('./lib/jobs/prepare-stripe')
  void prepareStripe()
}

/** Ends the process with one line: without its database it could answer no page. */
function end(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

/** Runs for every error that reaches Next. */
export const onRequestError: Instrumentation.onRequestError = (...failure) => {
  // Without waiting: the status of the answer is decided a moment later.
  noteRequestError?.(...failure)
}
