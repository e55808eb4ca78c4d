import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@/lib/kernel/caught-error.mjs'
import { type App, startApp } from '../support/start-app.mjs'

export type KeptApp = Awaited<ReturnType<typeof keepApp>>

const START_TRIES = 8
const BETWEEN_TRIES_MS = 500

/**
 * Starts one process of the application, and returns functions that end it and start it again. These functions run one
 * after the other, so that two faults never start the process twice.
 */
export async function keepApp(options: { port: number; dataDir: string; env: Record<string, string> }) {
  let app: App | null = null
  let last: Promise<void> = Promise.resolve()

  /** Starts the process, and tries again if this fails, as a service manager does. A start without a database fails. */
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
    /**
     * Returns whether the process runs. A frozen process counts as running, as it does for a load balancer at first.
     */
    isUp: () => app !== null,
    /** Kills the process, waits for `awayMs`, and starts the process again. */
    kill: (awayMs: number) =>
      inTurn(async () => {
        const killed = app
        app = null
        await killed?.kill()
        await sleep(awayMs)
        await start()
      }),
    /** Stops the process as a deployment does, and starts it again. */
    restart: () =>
      inTurn(async () => {
        const stopped = app
        app = null
        await stopped?.stop()
        await start()
      }),
    /** Suspends the process for `forMs`, to simulate an overloaded machine. */
    freeze: (forMs: number) =>
      inTurn(async () => {
        if (!app) return
        process.kill(app.pid, 'SIGSTOP')
        await sleep(forMs)
        process.kill(app.pid, 'SIGCONT')
      }),
    /** Waits until all earlier calls are done, and starts the process if it is not running. */
    settle: () => inTurn(start),
    output: () => app?.output() ?? '',
    stop: () =>
      inTurn(async () => {
        await app?.stop()
        app = null
      }),
  }
}
