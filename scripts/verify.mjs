// npm run verify runs the static checks and unit tests that must pass before every commit.
//   node scripts/verify.mjs lint|types [arguments]     runs one check and prints its output (npm run lint, npm run typecheck)
import './require-node.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { jestStep, staticChecks } from './checks.mjs'
import { prepare } from './prepare.mjs'
import { reportFailure } from './report-failure.mjs'
import { runSteps, summarize } from './run-steps.mjs'

/**
 * Runs one check and prints the output of its programs.
 * @param {string} name
 * @param {string[]} args
 */
async function runCheck(name, args) {
  const wanted = staticChecks.find((step) => step.name === name)
  if (!wanted)
    throw new Refusal(`There is no check "${name}": choose ${staticChecks.map((step) => step.name).join(', ')}.`)
  const { failed } = await wanted.run(args, (text) => process.stdout.write(text))
  process.exitCode = failed > 0 ? 1 : 0
}

try {
  const [name, ...args] = process.argv.slice(2)
  await prepare()
  if (name) await runCheck(name, args)
  else summarize(await runSteps([...staticChecks, jestStep('unit')], { atOnce: 2 }))
} catch (error) {
  reportFailure(error)
}
