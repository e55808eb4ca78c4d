// npm run verify: what must hold before every commit, in under two minutes.
import './require-node.mjs'
import { jestStep, staticChecks } from './checks.mjs'
import { Refusal } from './output.mjs'
import { prepare } from './prepare.mjs'
import { runSteps, summarise } from './run-steps.mjs'

try {
  await prepare()
  summarise(await runSteps([...staticChecks, jestStep('unit')], { atOnce: 2 }))
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error)
  process.exitCode = 1
}
