import pg from 'pg'

// Next bundles each route separately: only the global object is shared.
const shared = globalThis as typeof globalThis & { benchPool?: pg.Pool }

export const pool = (shared.benchPool ??= new pg.Pool({
  connectionString: process.env.BENCH_DATABASE_URL,
  max: 20,
  application_name: 'lastcall-bench-next',
}))
