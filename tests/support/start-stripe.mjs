// Starts the stand-in for Stripe as a separate process. This file must not use import.meta, because Jest reads it as
// CommonJS.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/**
 * @import { StripeFigures, StripeOrder, StripeSettings } from './stripe-process'
 *
 * @typedef {{
 *   url: string, pid: number, databaseUrl: string,
 *   environment: Record<string, string>,
 *   figures: () => Promise<StripeFigures>,
 *   order: (message: StripeOrder) => Promise<void>,
 *   stop: () => Promise<void>,
 * }} StripeProcess `databaseUrl` is the stand-in's own database. `environment` has the variables for an application
 *   that uses the stand-in. `order` makes the stand-in fail, or makes a buyer's bank do something.
 */

/** The shortest and the longest time by which the stand-in delays a call. */
const STRIPE_DELAY_MS = /** @type {[number, number]} */ ([60, 150])

/**
 * Returns the variables that make an application use the stand-in on this port. The stand-in need not run yet.
 * @param {number} port
 */
export function stripeEnvironment(port) {
  return {
    STRIPE_API_URL: `http://127.0.0.1:${port}`,
    STRIPE_SECRET_KEY: 'sk_test_process',
    STRIPE_WEBHOOK_SECRET: 'whsec_process',
    // Both endpoints have the same secret, as with `stripe listen`.
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_process',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_process',
  }
}

/**
 * @param {{
 *   databaseUrl: string, appUrl: string, port: number, delayMs?: [number, number], callsPerSecond?: number | null,
 *   isQuiet?: boolean, isDurable?: boolean,
 * }} options `databaseUrl` is any database of the Postgres server on which the process creates its own database. With
 *   `isQuiet`, failed deliveries are not printed. Benchmarks pass `isDurable: false`, so that the stand-in does not wait
 *   for the disk of the machine that is measured.
 * @returns {Promise<StripeProcess>}
 */
export async function startStripe({
  databaseUrl,
  appUrl,
  port,
  delayMs = STRIPE_DELAY_MS,
  callsPerSecond = null,
  isQuiet = false,
  isDurable = true,
}) {
  const environment = stripeEnvironment(port)
  /** @type {StripeSettings} */
  const settings = {
    databaseUrl,
    port,
    delayMs,
    callsPerSecond,
    isQuiet,
    isDurable,
    webhookUrl: `${appUrl}/api/webhooks/stripe`,
    webhookSecret: environment.STRIPE_WEBHOOK_SECRET,
    secretKey: environment.STRIPE_SECRET_KEY,
  }
  const child = fork(path.resolve('tests/support/stripe-process.ts'), {
    execArgv: ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const askAlone = async (/** @type {StripeSettings | StripeOrder | 'figures'} */ message) => {
    child.send(message)
    const [answer] = await Promise.race([
      once(child, 'message'),
      ended.then(() => {
        throw new Error('The stand-in for Stripe ended early.')
      }),
    ])
    if (answer.error) throw new Error(`The stand-in for Stripe: ${answer.error}`)
    return answer
  }
  /** A reply does not say to which message it belongs, so each message waits for the reply to the previous one. */
  let asked = Promise.resolve()
  const ask = (/** @type {StripeSettings | StripeOrder | 'figures'} */ message) => {
    const answer = asked.then(() => askAlone(message))
    asked = answer.then(
      () => {},
      () => {},
    )
    return answer
  }
  const { url, databaseUrl: ownDatabaseUrl } = await ask(settings)
  return {
    url,
    databaseUrl: ownDatabaseUrl,
    order: async (message) => {
      await ask(message)
    },
    pid: Number(child.pid),
    environment,
    figures: () => ask('figures'),
    stop: async () => {
      // The child ends when the channel closes. The channel also closes when this process dies.
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
