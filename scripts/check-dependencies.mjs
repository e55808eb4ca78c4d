// npm run check:dependencies checks the licences of what is shipped, install scripts, and known vulnerabilities where the
// registry reports them. The exit code is 1 when one of these is wrong.
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'
import { installScriptProblems, licenceProblems } from './dependency-rules.mjs'
import { reportFailure } from './report-failure.mjs'
import { root, runCommand } from './run-command.mjs'

/** @typedef {{ error?: unknown, message?: string, metadata?: { vulnerabilities?: Record<string, number> } }} Audit */

/** Asks the registry about the versions of the lock file. @returns {Promise<string[]>} one line per severity that it names */
async function knownHoles() {
  const { output } = await runCommand('npm', ['audit', '--omit=dev', '--json'], { timeoutMs: 120_000 })
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)
  /** @type {Audit} */
  const audit = json ? JSON.parse(json) : {}
  const counts = audit.metadata?.vulnerabilities
  if (!counts) {
    console.log('Known holes: not checked, because this registry does not answer `npm audit`.')
    return []
  }
  return ['critical', 'high', 'moderate']
    .filter((severity) => (counts[severity] ?? 0) > 0)
    .map((severity) => `${counts[severity]} known holes are ${severity}: \`npm audit --omit=dev\` names them.`)
}

try {
  /** @type {import('./dependency-rules.mjs').Lock} */
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const problems = [...licenceProblems(lock), ...installScriptProblems(lock), ...(await knownHoles())]
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  console.log('Licences and install scripts: ok.')
} catch (error) {
  reportFailure(error)
}
