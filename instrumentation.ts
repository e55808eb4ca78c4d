/** Runs once per process before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { env } = await import('./lib/infra/env')
  // First, so that nothing it should see has begun; loaded only where it is wanted.
  if (env().tracesEndpoint) (await import('./lib/infra/tracing')).startTracing()
  const { prepareApplication } = await import('./prisma/seed/prepare')
  await prepareApplication()
  const { startJobs } = await import('./lib/jobs/start-jobs')
  startJobs()
}
