/** Runs once per process before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { env } = await import('./lib/infra/env')
  // Traces start first, so that they include everything after this line. The module is loaded only when traces are
  // switched on.
  if (env().tracesEndpoint) (await import('./lib/infra/tracing')).startTracing()
  // Under any server but our own: the headers, methods and limits that our server takes care of.
  const { guardServers } = await import('./lib/server/guard-servers.mjs')
  guardServers()
  const { prepareApplication } = await import('./prisma/seed/prepare')
  await prepareApplication()
  const { startJobs } = await import('./lib/jobs/start-jobs')
  startJobs()
}
