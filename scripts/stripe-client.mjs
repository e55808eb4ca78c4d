/** @import { default as Stripe } from 'stripe' */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'

const TIMEOUT_MS = 20_000

/**
 * Returns a client for Stripe, or for the stand-in of STRIPE_API_URL, when keys are set, and otherwise a client for the
 * stand-in in the running application.
 * @param {{ port: number, dataDir: string, cronSecret: string | null, stripeSecretKey: string | null,
 *   stripeApiUrl: string | null }} environment
 * @returns {Promise<Stripe>}
 * @throws {Refusal} when no secret key is set, and the application does not run or its CRON_SECRET is unknown
 */
export async function stripeClient({ port, dataDir, cronSecret, stripeSecretKey, stripeApiUrl }) {
  const { default: Client } = await import('stripe')
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, appInfo: { name: 'lastcall' } }
  if (stripeSecretKey) return new Client(stripeSecretKey, { ...options, ...addressOf(stripeApiUrl) })
  const secret = cronSecret ?? readCronSecret(dataDir)
  const origin = `http://127.0.0.1:${port}`
  const running = await fetch(`${origin}/api/health`).catch(() => null)
  if (!running || !secret) {
    throw new Refusal(
      `Stripe's keys are not set, and no sandbox runs on port ${port}: set the keys, or run \`npm start\` in another terminal.`,
    )
  }
  const httpClient = Client.createFetchHttpClient(
    (/** @type {URL | RequestInfo} */ input, /** @type {RequestInit | undefined} */ init) => {
      const { pathname, search } = new URL(String(input))
      return fetch(`${origin}/api/sandbox/stripe${pathname}${search}`, init)
    },
  )
  return new Client(secret, { ...options, httpClient })
}

/**
 * @param {string | null} url
 * @returns {import('stripe').Stripe.StripeConfig} the settings for a stand-in in another process,
 *   or none for Stripe itself
 */
function addressOf(url) {
  if (!url) return {}
  const { hostname, port } = new URL(url)
  return { protocol: 'http', host: hostname.replace(/^\[|\]$/g, ''), port: port || '80' }
}

/** @param {string} dataDir */
function readCronSecret(dataDir) {
  const file = path.join(dataDir, 'secrets.json')
  return existsSync(file) ? /** @type {string} */ (JSON.parse(readFileSync(file, 'utf8')).cronSecret) : null
}
