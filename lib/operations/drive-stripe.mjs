import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { playCheckout, playDecline, playDispute, playIdempotency, playRefund, playSale } from './drive-payments.mjs'
import { playOnboarding, playPortal, playSubscription, playTransfer } from './drive-sellers.mjs'
import { readPlatformAccount } from './read-platform-account.mjs'

/**
 * @import { default as Stripe } from 'stripe'
 * @import { World } from './drive-world.mjs'
 * @typedef {{ name: string, source: string, play: (world: World) => Promise<void>, differs?: string }} Step `source` is
 *   the page of Stripe's documentation, and `differs` says where the stand-in behaves differently
 */

const POLL_MS = 2_000
const MAX_POLLS = 45

/** @type {Step[]} */
const STEPS = [
  {
    name: 'a sale',
    source: 'docs.stripe.com/payments/payment-intents',
    play: playSale,
  },
  { name: 'a declined card', source: 'docs.stripe.com/declines', play: playDecline },
  { name: 'one key, two calls', source: 'docs.stripe.com/api/idempotent_requests', play: playIdempotency },
  {
    name: 'a payment page',
    source: 'docs.stripe.com/api/checkout/sessions',
    differs: "Only a person can pay on Stripe's page. The stand-in accepts a POST request to <url>/pay.",
    play: playCheckout,
  },
  { name: 'a refund', source: 'docs.stripe.com/refunds', play: playRefund },
  {
    name: 'a dispute',
    source: 'docs.stripe.com/testing#disputes',
    differs: 'Stripe files and decides the dispute after some seconds, the stand-in right away.',
    play: playDispute,
  },
  {
    name: 'a seller with test data',
    source: 'docs.stripe.com/connect/testing',
    differs: 'Stripe verifies the data within seconds. The stand-in only checks that the data is present.',
    play: playOnboarding,
  },
  { name: 'a transfer', source: 'docs.stripe.com/connect/separate-charges-and-transfers', play: playTransfer },
  {
    name: 'a subscription under a test clock',
    source: 'docs.stripe.com/billing/testing/test-clocks',
    play: playSubscription,
  },
  { name: 'the billing portal', source: 'docs.stripe.com/api/customer_portal', play: playPortal },
]

/**
 * Plays all steps, from a sale to the billing portal, and prints for each what Stripe did and where this differs from
 * the documentation.
 * @param {Stripe} stripe
 * @param {{ isStandIn: boolean, print: (line: string) => void }} options
 * @returns {Promise<{ failed: number, different: number }>} the number of steps that failed, and the number of
 *   results that differ from the documentation
 * @throws a Refusal when Stripe cannot be reached or refuses the key
 */
export async function driveStripe(stripe, { isStandIn, print }) {
  await readPlatformAccount(stripe)
  let different = 0
  let failed = 0
  /** @type {World['see']} */
  const see = (what, seen, documented) => {
    const isSame = JSON.stringify(seen) === JSON.stringify(documented)
    if (!isSame) different += 1
    const rest = isSame ? '' : `, but the documentation and the stand-in say ${JSON.stringify(documented)}`
    print(`    ${isSame ? '✓' : '≠'} ${what}: ${JSON.stringify(seen)}${rest}`)
  }
  /** @type {World} */
  const world = { stripe, isStandIn, print, see, poll, run: `drive_${randomUUID()}`, account: null }
  for (const [index, { name, source, differs, play }] of STEPS.entries()) {
    print(`${index + 1}. ${name} (${source})`)
    if (differs) print(`    ~ ${differs}`)
    try {
      await play(world)
    } catch (error) {
      failed += 1
      print(`    ✗ the step failed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (world.account)
    await stripe.accounts.del(world.account).catch((error) => print(`    ~ not deleted: ${error.message}`))
  return { failed, different }
}

/** @type {World['poll']} */
async function poll(read, isDone) {
  for (let count = 1; ; count += 1) {
    const value = await read()
    if (isDone(value)) return value
    if (count === MAX_POLLS) throw new Error(`no result after ${(MAX_POLLS * POLL_MS) / 1000} s`)
    await pause(POLL_MS)
  }
}
