// npm test: everything, from the format to the browser tests; the last line is the sum.
//   node scripts/test.mjs unit|integration|e2e [arguments of Jest or Playwright]     one suite, with its own output
import './require-node.mjs'
import { findBrowser } from './browser.mjs'
import { jestStep, oneTest, runPlaywright, staticChecks } from './checks.mjs'
import { Refusal } from './output.mjs'
import { prepare, prepareBuild } from './prepare.mjs'
import { stopCommands } from './run-command.mjs'
import { runSteps, summarise } from './run-steps.mjs'
import { startApp } from '../tests/support/app-server.mjs'

let app

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, async () => {
    stopCommands()
    await app?.stop()
    process.exit(130)
  })
}

let isBuilt = false

const build = {
  name: 'build',
  run: async () => {
    await prepareBuild()
    isBuilt = true
    return oneTest(true, '')
  },
}

const browserTests = {
  name: 'e2e',
  run: async (args, onOutput) => {
    if (!isBuilt) return oneTest(false, 'Not run: the build failed.')
    const browser = await findBrowser()
    app = await startApp()
    try {
      const { url, dataDir, databaseUrl, authSecret, cronSecret, pid } = app
      const place = { E2E_BASE_URL: url, E2E_DATA_DIR: dataDir, E2E_DATABASE_URL: databaseUrl, E2E_PID: String(pid) }
      const secrets = { E2E_AUTH_SECRET: authSecret, E2E_CRON_SECRET: cronSecret }
      const result = await runPlaywright({ ...browser, ...place, ...secrets }, args, onOutput)
      return result.failed > 0 ? { ...result, output: `${result.output}\n\nThe server said:\n${app.output()}` } : result
    } finally {
      await app.stop()
    }
  },
}

const suites = { unit: [jestStep('unit')], integration: [jestStep('integration')], e2e: [build, browserTests] }

async function runAll() {
  return [
    ...(await runSteps(staticChecks, { atOnce: 2 })),
    // The build comes before the integration tests: some of them talk to the built application.
    ...(await runSteps([jestStep('unit'), build, jestStep('integration'), browserTests])),
  ]
}

async function runSuite(name, args) {
  const results = []
  const print = (text) => process.stdout.write(text)
  for (const step of suites[name]) results.push({ name: step.name, ...(await step.run(args, print)), output: '' })
  return results
}

try {
  const [name, ...args] = process.argv.slice(2)
  if (name && !suites[name]) throw new Refusal(`There is no suite "${name}": choose ${Object.keys(suites).join(', ')}.`)
  await prepare()
  summarise(name ? await runSuite(name, args) : await runAll())
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
}
