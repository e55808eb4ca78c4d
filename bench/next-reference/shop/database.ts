import pg from 'pg'

// Next bundles each route separately, so the routes can use one pool only through the global object.
const shared = globalThis as typeof globalThis & { benchPool?: pg.Pool }

export const pool = (shared.benchPool ??= new pg.Pool({
  connectionString: process.env.BENCH_DATABASE_URL,
  max: 20,
  application_name: 'lastcall-bench-next',
}))
