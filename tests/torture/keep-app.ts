import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@/lib/kernel/caught-error.mjs'
import { type App, startApp } from '../support/app-server.mjs'

export type KeptApp = Awaited<ReturnType<typeof keepApp>>

const START_TRIES = 8
const BETWEEN_TRIES_MS = 500

/**
 * One process of the application on a port of its own, which can be ended and started again. What is asked of it is done in
 * sequence, so that two faults never start it twice.
 */
export async function keepApp(options: { port: number; dataDir: string; env: Record<string, string> }) {
  let app: App | null = null
  let last: Promise<void> = Promise.resolve()

  /** While the database is away a start fails. It is tried again, as a service manager would do. */
  async function start(): Promise<void> {
    for (let tries = 1; app === null; tries += 1) {
      try {
        app = await startApp(options)
      } catch (error) {
        if (tries === START_TRIES) throw new Error(`The application did not start: ${messageOf(error).slice(-1_000)}`)
        await sleep(BETWEEN_TRIES_MS)
      }
    }
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  await start()
  return {
    url: `http://127.0.0.1:${options.port}`,
    /** Whether a load balancer would send somebody here. */
    isUp: () => app !== null,
    /** Ends it at once, leaves it down for a while, and starts it again. */
    kill: (awayMs: number) =>
      inTurn(async () => {
        const killed = app
        app = null
        await killed?.kill()
        await sleep(awayMs)
        await start()
      }),
    /** Ends it as a deployment does, and starts it again. */
    restart: () =>
      inTurn(async () => {
        const stopped = app
        app = null
        await stopped?.stop()
        await start()
      }),
    /** Suspends it for a while, as an overloaded machine does. */
    freeze: (forMs: number) =>
      inTurn(async () => {
        if (!app) return
        process.kill(app.pid, 'SIGSTOP')
        await sleep(forMs)
        process.kill(app.pid, 'SIGCONT')
      }),
    /** Resolves when all earlier calls are done and the process runs. */
    settle: () => inTurn(start),
    output: () => app?.output() ?? '',
    stop: () =>
      inTurn(async () => {
        await app?.stop()
        app = null
      }),
  }
}
