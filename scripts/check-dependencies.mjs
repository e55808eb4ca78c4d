// npm run check:dependencies checks the licenses of the shipped packages, the install scripts of all packages, and
// known vulnerabilities where the registry reports them. The exit code is 1 when it finds a problem.
import './require-node.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Refusal } from '../lib/operations/refusal.mjs'
import { installScriptProblems, licenseProblems } from './dependency-problems.mjs'
import { reportFailure } from './report-failure.mjs'
import { root, runCommand } from './run-command.mjs'

/** @typedef {{ error?: unknown, message?: string, metadata?: { vulnerabilities?: Record<string, number> } }} Audit */

/**
 * Requests the known vulnerabilities of the shipped packages from the registry.
 * @returns {Promise<string[]>} one line for each severity that has any, from critical to moderate
 */
async function knownVulnerabilities() {
  const { output } = await runCommand('npm', ['audit', '--omit=dev', '--json'], { timeoutMs: 120_000 })
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)
  /** @type {Audit} */
  const audit = json ? JSON.parse(json) : {}
  const counts = audit.metadata?.vulnerabilities
  if (!counts) {
    console.log('Known vulnerabilities: not checked, because this registry does not answer `npm audit`.')
    return []
  }
  return ['critical', 'high', 'moderate']
    .filter((severity) => (counts[severity] ?? 0) > 0)
    .map((severity) => `Known ${severity} vulnerabilities: ${counts[severity]}. \`npm audit --omit=dev\` names them.`)
}

try {
  /** @type {import('./dependency-problems.mjs').Lock} */
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const problems = [...licenseProblems(lock), ...installScriptProblems(lock), ...(await knownVulnerabilities())]
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
  console.log('Licenses and install scripts: ok.')
} catch (error) {
  reportFailure(error)
}
