import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { playCheckout, playDecline, playDispute, playIdempotency, playRefund, playSale } from './drive-payments.mjs'
import { playOnboarding, playPortal, playSubscription, playTransfer } from './drive-sellers.mjs'
import { readPlatformAccount } from './read-platform-account.mjs'

/**
 * @import { default as Stripe } from 'stripe'
 * @import { World } from './drive-world.mjs'
 * @typedef {{ name: string, source: string, play: (world: World) => Promise<void>, differs?: string }} Step `source`: where
 *   Stripe documents it; `differs`: what the stand-in simplifies
 */

const POLL_MS = 2_000
const MOST_POLLS = 45

/** @type {Step[]} */
const STEPS = [
  {
    name: 'a sale',
    source: 'docs.stripe.com/payments/payment-intents',
    differs: 'Stripe may report the card fee a while later, with charge.updated.',
    play: playSale,
  },
  { name: 'a declined card', source: 'docs.stripe.com/declines', play: playDecline },
  { name: 'one key, two calls', source: 'docs.stripe.com/api/idempotent_requests', play: playIdempotency },
  {
    name: 'a payment page',
    source: 'docs.stripe.com/api/checkout/sessions',
    differs: 'Only a person can pay on the page of Stripe; the stand-in takes a post to <url>/pay.',
    play: playCheckout,
  },
  { name: 'a refund', source: 'docs.stripe.com/refunds', play: playRefund },
  {
    name: 'a dispute',
    source: 'docs.stripe.com/testing#disputes',
    differs: 'Stripe files and decides it after seconds, the stand-in at once.',
    play: playDispute,
  },
  {
    name: 'a seller with test data',
    source: 'docs.stripe.com/connect/testing',
    differs: 'Stripe verifies the data within seconds. The stand-in looks only at whether they are there.',
    play: playOnboarding,
  },
  { name: 'a transfer', source: 'docs.stripe.com/connect/separate-charges-and-transfers', play: playTransfer },
  {
    name: 'a subscription under a test clock',
    source: 'docs.stripe.com/billing/testing/test-clocks',
    differs: 'Stripe leaves a renewal as a draft for an hour before it charges; the stand-in need not.',
    play: playSubscription,
  },
  { name: 'the billing portal', source: 'docs.stripe.com/api/customer_portal', play: playPortal },
]

/**
 * Plays every step that money takes, and prints for each step what Stripe did and where this differs from its documentation.
 * @param {Stripe} stripe
 * @param {{ isStandIn: boolean, print: (line: string) => void }} options
 * @returns {Promise<{ failed: number, different: number }>} the number of steps that ended early, and of things that were
 *   not as documented
 * @throws when Stripe cannot be reached or refuses the key
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
      print(`    ✗ the step ended: ${error instanceof Error ? error.message : String(error)}`)
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
    if (count === MOST_POLLS) throw new Error(`nothing came of it within ${(MOST_POLLS * POLL_MS) / 1000} s`)
    await pause(POLL_MS)
  }
}
