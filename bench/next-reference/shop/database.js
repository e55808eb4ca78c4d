import pg from 'pg'

// Next bundles each route separately: the global object is shared.
globalThis.benchPool ??= new pg.Pool({
  connectionString: process.env.BENCH_DATABASE_URL,
  max: 20,
  application_name: 'lastcall-bench-next',
})

export const pool = globalThis.benchPool
