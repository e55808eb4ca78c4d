// npm run stripe:check checks whether everything at Stripe is set up (docs/stripe.md). It prints one line per finding,
// and the exit code is 1 when something must be done.
import './require-node.mjs'
import { loadEnvironment } from './load-environment.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'
import { stripeClient } from './stripe-client.mjs'

const SYMBOLS = { ok: '✓', note: '–', problem: '✗' }

process.chdir(root)
try {
  process.exitCode = (await check()) ? 0 : 1
} catch (error) {
  reportFailure(error)
}

async function check() {
  const environment = loadEnvironment('production')
  const { appUrl, stripeMode, stripeSecretKey, stripePublishableKey, hasStripeTax } = environment
  const { checkStripe } = await import('../lib/operations/check-stripe.mjs')
  const findings = await checkStripe(await stripeClient(environment), {
    appUrl,
    mode: stripeMode ?? 'test',
    secretKey: stripeSecretKey,
    publishableKey: stripePublishableKey,
    hasTax: hasStripeTax,
  })
  for (const { name, level, text } of findings) console.log(`${SYMBOLS[level]} ${name}: ${text}`)
  const problems = findings.filter(({ level }) => level === 'problem').length
  console.log(problems === 0 ? 'Nothing is left to do.' : `Left to do: ${problems}.`)
  return problems === 0
}
