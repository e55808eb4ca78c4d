/** @import { default as Stripe } from 'stripe' */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'

const TIMEOUT_MS = 20_000

/**
 * A client of Stripe when keys are set, otherwise one of the stand-in in the running application.
 * @param {{ port: number, dataDir: string, cronSecret: string | null, stripeSecretKey: string | null }} environment
 * @returns {Promise<Stripe>}
 */
export async function stripeClient({ port, dataDir, cronSecret, stripeSecretKey }) {
  const { default: Client } = await import('stripe')
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false, appInfo: { name: 'lastcall' } }
  if (stripeSecretKey) return new Client(stripeSecretKey, options)
  const secret = cronSecret ?? readCronSecret(dataDir)
  const origin = `http://127.0.0.1:${port}`
  const running = await fetch(`${origin}/api/health`).catch(() => null)
  if (!running || !secret) {
    throw new Refusal(
      `Neither are Stripe's keys set, nor does the sandbox run on port ${port}: set the keys, or run \`npm start\` beside this.`,
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

/** @param {string} dataDir */
function readCronSecret(dataDir) {
  const file = path.join(dataDir, 'secrets.json')
  return existsSync(file) ? /** @type {string} */ (JSON.parse(readFileSync(file, 'utf8')).cronSecret) : null
}
