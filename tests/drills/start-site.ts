import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { findFreePort } from '@/scripts/ports.mjs'
import { type App, startApp } from '../support/start-app.mjs'
import { forget, type Shop, shopAt } from '../support/e2e'

export type Site = Awaited<ReturnType<typeof startSite>>

/** The size of the disk of a drill, in megabytes. An empty site needs about 100. */
const DISK_MB = 500
const HEAL_MS = 90_000

/** Mounts a separate disk, which a drill can fill. Returns whether this worked, because only root can mount a disk. */
function mountDisk(folder: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'lastcall-drill', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Returns the processes whose command line or environment contains this folder, such as Postgres and its keeper. */
function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return (
          Number(pid) !== process.pid &&
          (line.includes(folder) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(folder))
        )
      } catch {
        return false
      }
    })
    .map(Number)
}

/** Starts the built application with its own Postgres and, if possible, its own disk. `stop` removes everything. */
export async function startSite() {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-drill-'))
  const [dataDir, uploads] = [path.join(folder, 'data'), path.join(folder, 'data', 'uploads')]
  mkdirSync(dataDir)
  const hasDisk = mountDisk(dataDir, DISK_MB)
  mkdirSync(uploads, { mode: 0o700 })
  const mounts = hasDisk ? [dataDir] : []
  if (hasDisk && mountDisk(uploads, 20)) mounts.unshift(uploads)
  const port = await findFreePort()
  const options = { port, dataDir, env: { SEED_DEMO: '0', LOG_LEVEL: 'error' } }
  let app: App | null = await startApp(options)
  const url = `http://127.0.0.1:${port}`
  let shop: Shop = shopAt(url, app.databaseUrl)
  const down = async (end: (running: App) => Promise<unknown>) => {
    if (!app) return
    const running = app
    app = null
    await forget(running.databaseUrl)
    await end(running)
  }
  return {
    folder,
    dataDir,
    uploads,
    port,
    hasDisk: mounts.length === 2,
    shop: () => shop,
    databaseUrl: () => app?.databaseUrl ?? '',
    /** Starts the application again with further variables. */
    start: async (env: Record<string, string> = {}) => {
      app = await startApp({ ...options, env: { ...options.env, ...env } })
      shop = shopAt(url, app.databaseUrl)
    },
    /** Stops the application as a deployment does. Its database stops with it. */
    terminate: () => down((running) => running.stop()),
    /** Kills every process of the site with SIGKILL, Postgres included, as a power cut would. */
    cutPower: () =>
      down(async (running) => {
        for (const pid of processesIn(folder)) {
          try {
            process.kill(pid, 'SIGKILL')
          } catch {
            // The process has ended meanwhile.
          }
        }
        await running.kill()
      }),
    stop: async () => {
      await down((running) => running.stop())
      for (const mount of mounts) execFileSync('umount', ['-l', mount])
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/**
 * Waits until `isSo` holds. @returns how many seconds this took. @throws if it does not hold after a minute and a half.
 */
export async function untilHealed(what: string, isSo: () => Promise<boolean>): Promise<number> {
  const from = performance.now()
  while (!(await isSo().catch(() => false))) {
    if (performance.now() - from > HEAL_MS) throw new Error(`${what}: not healed after ${HEAL_MS / 1_000} s`)
    await sleep(250)
  }
  return Math.round((performance.now() - from) / 100) / 10
}

/** Throws if a rule of `npm run doctor` about money and stock is broken. Work of the last minutes may be unfinished. */
export async function examine(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const broken = (await checkInvariants(client)).filter(({ breaches }) => breaches.length > 0)
    if (broken.length > 0) throw new Error(`the doctor found ${JSON.stringify(broken).slice(0, 800)}`)
  } finally {
    await client.end()
  }
}
