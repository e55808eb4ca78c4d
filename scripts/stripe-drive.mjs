// npm run stripe:drive simulates sales, refunds, disputes, payouts and subscriptions (docs/stripe.md). With test keys
// it uses a test account at Stripe, and otherwise the stand-in of the running application. The exit code is 1 when
// something is not as documented.
import './require-node.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { loadEnvironment } from './load-environment.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'
import { stripeClient } from './stripe-client.mjs'

process.chdir(root)
try {
  process.exitCode = (await drive()) ? 0 : 1
} catch (error) {
  reportFailure(error)
}

async function drive() {
  const environment = loadEnvironment('production')
  if (environment.stripeMode === 'live') {
    throw new Refusal('STRIPE_SECRET_KEY is a live key: this makes payments and disputes, so it needs a test key.')
  }
  const { driveStripe } = await import('../lib/operations/drive-stripe.mjs')
  const isStandIn = environment.stripeSecretKey === null || environment.stripeApiUrl !== null
  console.log(isStandIn ? 'At the stand-in:' : 'At Stripe, in test mode:')
  const { failed, different } = await driveStripe(await stripeClient(environment), { isStandIn, print: console.log })
  if (failed + different === 0) console.log('Everything was as documented.')
  else {
    const things = different === 1 ? '1 thing was' : `${different} things were`
    console.log(`${things} not as documented, and ${failed === 1 ? '1 step' : `${failed} steps`} ended early.`)
  }
  return failed + different === 0
}
