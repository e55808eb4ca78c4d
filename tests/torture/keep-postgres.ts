import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readKeeperFile } from '@/scripts/postgres/postgres-cluster.mjs'
import { startEmbeddedPostgres } from '@/scripts/postgres/start-embedded-postgres.mjs'

export type KeptPostgres = Awaited<ReturnType<typeof keepPostgres>>

/** How long a fault waits until Postgres has recovered from an earlier one. */
const READY_MS = 60_000

/** Starts a Postgres that can be restarted, crashed and frozen. Its data must survive all of this. */
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

  /** Sends a signal to processes of Postgres, and ignores processes that have ended meanwhile. */
  function signal(pids: readonly number[], name: NodeJS.Signals): void {
    for (const pid of pids) {
      try {
        process.kill(pid, name)
      } catch {
        // The process has ended by itself.
      }
    }
  }
  const thaw = () => {
    signal(frozen, 'SIGCONT')
    frozen = []
  }
  /** Waits until Postgres accepts connections, because it may still be recovering from an earlier crash. */
  const untilReady = async () => {
    const deadline = Date.now() + READY_MS
    for (;;) {
      try {
        return await pool.query('SELECT 1')
      } catch (error) {
        if (Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  }
  return {
    databaseUrl,
    pool,
    /** Stops Postgres as a package upgrade does, and starts it again on the same port. */
    restart: async () => {
      await postgres.stop()
      postgres = await startEmbeddedPostgres({ folder })
      if (postgres.port !== port) throw new Error('Postgres came back on another port.')
    },
    /** Kills one process of Postgres. Postgres then ends all others right away and recovers from its log. */
    crash: async () => {
      await untilReady()
      const { rows } = await pool.query<{ pid: number }>(
        `SELECT "pid" FROM pg_stat_activity WHERE "application_name" = 'lastcall' LIMIT 1`,
      )
      signal(
        rows.map(({ pid }) => pid),
        'SIGKILL',
      )
    },
    /** Suspends Postgres for `forMs` milliseconds. Connections stay open, but no statement is answered. */
    freeze: async (forMs: number) => {
      await untilReady()
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
