// npm test runs all checks and tests, and its last line has the totals.
//   node scripts/test.mjs unit|integration|e2e [arguments of Jest or Playwright]     runs one suite and prints its output
//   node scripts/test.mjs torture|fuzz [arguments of npm run torture, npm run fuzz]  does the same for these programs
import './require-node.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { startApp } from '../tests/support/start-app.mjs'
import { fuzzStep, jestStep, oneTest, runPlaywright, staticChecks, tortureStep } from './checks.mjs'
import { findBrowser } from './find-browser.mjs'
import { prepare, prepareBuild } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { stopCommands } from './run-command.mjs'
import { runSteps, summarize } from './run-steps.mjs'

/** @import { Step } from './checks.mjs' */

/** @type {Awaited<ReturnType<typeof startApp>> | undefined} */
let app

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    stopCommands()
    await app?.stop()
    process.exit(130)
  })
}

let isBuilt = false

/** @type {Step} */
const build = {
  name: 'build',
  run: async () => {
    await prepareBuild()
    isBuilt = true
    return oneTest(true, '')
  },
}

/** @type {Step} */
const browserTests = {
  name: 'e2e',
  run: async (args, onOutput) => {
    if (!isBuilt) return oneTest(false, 'Not run: the build failed.')
    const browser = await findBrowser()
    const server = await startApp()
    process.stderr.write(`Seed of Stripe's events in the browser tests: TEST_SEED=${server.seed}\n`)
    app = server
    try {
      const { url, dataDir, databaseUrl, authSecret, cronSecret, pid } = server
      const place = { E2E_BASE_URL: url, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: databaseUrl, E2E_PID: String(pid) }
      const secrets = { E2E_AUTH_SECRET: authSecret, E2E_CRON_SECRET: cronSecret }
      const result = await runPlaywright({ ...browser, ...place, ...secrets }, args, onOutput)
      if (result.failed === 0) return result
      return { ...result, output: `${result.output}\n\nThe server said:\n${server.output()}` }
    } finally {
      await server.stop()
    }
  },
}

/**
 * @param {Step} step
 * @returns {Step} a step that fails without running when there is no build
 */
const onBuild = ({ name, run }) => ({
  name,
  run: async (args, onOutput) => (isBuilt ? run(args, onOutput) : oneTest(false, 'Not run: the build failed.')),
})

const torture = onBuild(tortureStep)
const fuzz = onBuild(fuzzStep)

/** @type {Record<string, Step[]>} */
const suites = {
  unit: [jestStep('unit')],
  integration: [jestStep('integration')],
  e2e: [build, browserTests],
  torture: [build, torture],
  fuzz: [build, fuzz],
}

async function runAll() {
  await prepare()
  return [
    ...(await runSteps(staticChecks, { atOnce: 2 })),
    // The build comes before the integration tests, because some of them start the built application.
    ...(await runSteps([jestStep('unit'), build])),
    // The torture test spends most of its time waiting, so it runs at the same time as the integration tests. Each
    // suite has its own database server.
    ...(await runSteps([jestStep('integration'), torture, fuzz], { atOnce: 2 })),
    // The browser tests run alone, because other suites would slow them down on a machine with two cores.
    ...(await runSteps([browserTests])),
  ]
}

/**
 * @param {string} name
 * @param {string[]} args
 */
async function runSuite(name, args) {
  const steps = suites[name]
  if (!steps) throw new Refusal(`There is no suite "${name}": choose ${Object.keys(suites).join(', ')}.`)
  await prepare()
  const results = []
  const print = (/** @type {string} */ text) => process.stdout.write(text)
  for (const step of steps) results.push({ name: step.name, ...(await step.run(args, print)), output: '' })
  return results
}

try {
  const [name, ...args] = process.argv.slice(2)
  summarize(name ? await runSuite(name, args) : await runAll())
} catch (error) {
  reportFailure(error)
}
