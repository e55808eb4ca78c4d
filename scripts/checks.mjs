// The steps of `npm test` and `npm run verify`. A step answers how many tests passed, failed and were skipped, and what
// there is to read about it; a static check counts as one test.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEXT_ENVIRONMENT } from './prepare.mjs'
import { nodeBin, root, runCommand } from './run-command.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number, output: string }} Result
 * @typedef {{ name: string, run: (args?: string[], onOutput?: (text: string) => void) => Promise<Result> }} Step
 */

const CHECK_MS = 10 * 60_000
const SUITE_MS = 30 * 60_000

const SOURCE_FOLDERS = ['app', 'components', 'lib', 'prisma', 'middleware.ts', 'instrumentation.ts']

/** @returns {Result} */
export const oneTest = (isGood, output) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, output })

/** @returns {Step} */
function check(name, ...commands) {
  return {
    name,
    run: async (args = [], onOutput) => {
      let output = ''
      for (const [command, words] of commands.map((make) => make())) {
        const env = { ...process.env, ...NEXT_ENVIRONMENT }
        const result = await runCommand(command, [...words, ...args], { env, onOutput, timeoutMs: CHECK_MS })
        output += result.output
        if (result.code !== 0) return oneTest(false, output)
      }
      return oneTest(true, output)
    },
  }
}

/** @type {Step[]} */
export const staticChecks = [
  check('format', () => nodeBin('prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.')),
  check('lint', () => nodeBin('eslint/bin/eslint.js', '--max-warnings=0', '.')),
  check('import rules', () => {
    const sources = SOURCE_FOLDERS.filter((name) => existsSync(path.join(root, name)))
    return nodeBin('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...sources)
  }),
  check('unused code', () => nodeBin('knip/bin/knip.js')),
  // `typegen` writes the types of routes and next-env.d.ts, which a fresh clone lacks.
  check(
    'types',
    () => nodeBin('next/dist/bin/next', 'typegen'),
    () => nodeBin('typescript/bin/tsc', '--noEmit'),
  ),
]

/**
 * One of Jest's projects.
 * @param {'unit' | 'integration'} name
 * @returns {Step}
 */
export function jestStep(name) {
  return {
    name,
    run: async (args = [], onOutput) => {
      const words = ['--selectProjects', name, '--passWithNoTests', ...args]
      const { report, code, output } = await runWithReport({
        command: (file) => nodeBin('jest/bin/jest.js', '--json', `--outputFile=${file}`, ...words),
        env: { ...process.env, ...NEXT_ENVIRONMENT, NODE_ENV: 'test' },
        onOutput,
      })
      if (!report) return oneTest(code === 0, output)
      return atLeastOneFailure(code, {
        passed: report.numPassedTests,
        failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
        skipped: report.numPendingTests + report.numTodoTests,
        output: withoutPassed(output),
      })
    },
  }
}

/**
 * The browser tests, against a server that runs already.
 * @param {NodeJS.ProcessEnv} env where it is, and which browser to use
 */
export async function runPlaywright(env, args = [], onOutput) {
  const { report, code, output } = await runWithReport({
    command: () => nodeBin('@playwright/test/cli.js', 'test', ...args),
    env: (file) => ({ ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    onOutput,
  })
  if (!report) return oneTest(code === 0, output)
  const { expected, unexpected, flaky, skipped } = report.stats
  return atLeastOneFailure(code, { passed: expected + flaky, failed: unexpected, skipped, output })
}

async function runWithReport({ command, env, onOutput }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-report-'))
  const file = path.join(folder, 'report.json')
  try {
    const [program, words] = command(file)
    const options = { env: typeof env === 'function' ? env(file) : env, onOutput, timeoutMs: SUITE_MS }
    const { code, output } = await runCommand(program, words, options)
    const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
    return { report, code, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A suite that fails as a whole (set-up, no tests, a crash) must not count as nothing. */
function atLeastOneFailure(code, result) {
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result
}

const withoutPassed = (output) =>
  output
    .split('\n')
    .filter((line) => !/^PASS /.test(line))
    .join('\n')
