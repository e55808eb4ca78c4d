// Starts the stand-in for Stripe as a process of its own. This file may not use import.meta, because Jest reads it as CommonJS.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

/**
 * @import { StripeFigures, StripeSettings } from './stripe-process'
 *
 * @typedef {{
 *   url: string, pid: number,
 *   environment: Record<string, string>,
 *   figures: () => Promise<StripeFigures>,
 *   stop: () => Promise<void>,
 * }} StripeProcess `environment`: the variables of an application that uses it.
 */

/** As long as Stripe takes. */
const STRIPE_DELAY_MS = /** @type {[number, number]} */ ([60, 150])

/**
 * The variables of an application that takes the process for Stripe. They are chosen before either is started.
 * @param {number} port
 */
export function stripeEnvironment(port) {
  return {
    STRIPE_API_URL: `http://127.0.0.1:${port}`,
    STRIPE_SECRET_KEY: 'sk_test_process',
    STRIPE_WEBHOOK_SECRET: 'whsec_process',
    // One secret for both destinations, as `stripe listen` gives out.
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_process',
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_process',
  }
}

/**
 * @param {{
 *   databaseUrl: string, appUrl: string, port: number, delayMs?: [number, number], callsPerSecond?: number | null,
 * }} options `databaseUrl`: the application's; the process makes another database beside it
 * @returns {Promise<StripeProcess>}
 */
export async function startStripe({ databaseUrl, appUrl, port, delayMs = STRIPE_DELAY_MS, callsPerSecond = null }) {
  const environment = stripeEnvironment(port)
  /** @type {StripeSettings} */
  const settings = {
    databaseUrl,
    port,
    delayMs,
    callsPerSecond,
    webhookUrl: `${appUrl}/api/webhooks/stripe`,
    webhookSecret: environment.STRIPE_WEBHOOK_SECRET,
    secretKey: environment.STRIPE_SECRET_KEY,
  }
  const child = fork(path.resolve('tests/support/stripe-process.ts'), {
    execArgv: ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const ask = async (/** @type {StripeSettings | 'figures'} */ message) => {
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
  const { url } = await ask(settings)
  return {
    url,
    pid: Number(child.pid),
    environment,
    figures: () => ask('figures'),
    stop: async () => {
      // It ends when the channel closes. It also closes when this process dies.
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
