import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readKeeperFile } from '@/scripts/postgres/postgres-cluster.mjs'
import { startEmbeddedPostgres } from '@/scripts/postgres/start-embedded-postgres.mjs'

export type KeptPostgres = Awaited<ReturnType<typeof keepPostgres>>

/** A Postgres of its own that can be restarted, made to crash, and frozen. Its data survive, as they must. */
export async function keepPostgres(dataDir: string) {
  const folder = path.join(dataDir, 'postgres')
  let postgres = await startEmbeddedPostgres({ folder })
  const { databaseUrl, port } = postgres
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 6,
    connectionTimeoutMillis: 4_000,
    query_timeout: 8_000,
    application_name: 'torture',
  })
  pool.on('error', () => {})
  let frozen: number[] = []

  /** Sends a signal to processes of Postgres. One that has just ended is no failure. */
  function signal(pids: readonly number[], name: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // It ended by itself.
      }
    }
  }
  const thaw = () => {
    signal(frozen, 'SIGCONT')
    frozen = []
  }
  return {
    databaseUrl,
    pool,
    /** Stops it as a package upgrade does, and starts it again on the same port. */
    restart: async () => {
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ folder })
      if (postgres.port !== port) throw new Error('Postgres came back on another port.')
    },
    /** Kills one of its processes. Postgres then ends all others at once and recovers from its log. */
    crash: async () => {
      const { rows } = await pool.query<{ pid: number }>(
        `SELECT "pid" FROM pg_stat_activity WHERE "application_name" = 'lastcall' LIMIT 1`,
      )
      signal(
        rows.map(({ pid }) => pid),
        'SIGKILL',
      )
    },
    /** Stops all of its processes for a while: connections stay open, and nothing answers. */
    freeze: async (forMs: number) => {
      const { rows } = await pool.query<{ pid: number }>('SELECT "pid" FROM pg_stat_activity WHERE "pid" IS NOT NULL')
      frozen = [readKeeperFile(folder).postmasterPid ?? 0, ...rows.map(({ pid }) => pid)].filter((pid) => pid > 0)
      signal(frozen, 'SIGSTOP')
      await sleep(forMs)
      thaw()
    },
    stop: async () => {
      thaw()
      await pool.end()
      await postgres.stop()
    },
  }
}
