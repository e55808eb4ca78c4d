// The steps of `npm test` and `npm run verify`. A step returns its output and how many tests passed, failed and were
// skipped. A static check counts as one test.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEXT_ENVIRONMENT } from './prepare.mjs'
import { nodeBin, root, runCommand } from './run-command.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {Counts & { output: string, failures?: string[] }} Result `failures` has one line for each failed test, if
 *   known
 * @typedef {(text: string) => void} OnOutput
 * @typedef {{ name: string, run: (args?: string[], onOutput?: OnOutput) => Promise<Result> }} Step
 * @typedef {{
 *   numPassedTests: number,
 *   numFailedTests: number,
 *   numRuntimeErrorTestSuites: number,
 *   numPendingTests: number,
 *   numTodoTests: number,
 *   testResults: { name: string, status: string, assertionResults: { fullName: string, status: string }[] }[],
 * }} JestReport the part of Jest's report that is read
 * @typedef {() => [command: string, args: string[]]} MakeCommand
 */

const CHECK_MS = 10 * 60_000
/**
 * TEST_MINUTES can raise the limit of 50 minutes, because a suite with a long test, such as the books test with 10,000
 * operations, may take longer on a busy machine.
 */
const SUITE_MS = Number(process.env.TEST_MINUTES ?? 50) * 60_000
const SEEDED_MS = 15 * 60_000
/**
 * The seed of the first torture storm, which is the same in every run. The second storm has a new seed in every run.
 */
const FIXED_SEED = 14

/** The folders and the file to which the import rules apply, in addition to the source files in the root folder. */
const SOURCES = ['app', 'components', 'lib', 'prisma', 'scripts', 'bench', 'tests', 'public/sw.js']
const ROOT_SOURCES = /\.(?:ts|mjs|js)$/

/**
 * @param {boolean} isGood
 * @param {string} output
 * @returns {Result}
 */
export const oneTest = (isGood, output) => ({ passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, output })

/**
 * @param {string} name
 * @param {MakeCommand[]} commands
 * @returns {Step}
 */
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
    const sources = [...SOURCES, ...readdirSync(root).filter((name) => ROOT_SOURCES.test(name))]
    return nodeBin('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...sources)
  }),
  check('unused code', () => nodeBin('knip/bin/knip.js')),
  check(
    'types',
    // This writes the types of routes and next-env.d.ts, which a fresh clone lacks.
    () => nodeBin('next/dist/bin/next', 'typegen'),
    () => nodeBin('typescript/bin/tsc', '--noEmit'),
    () => nodeBin('typescript/bin/tsc', '--project', 'tsconfig.worker.json'),
  ),
]

/**
 * Creates the step that runs one of Jest's projects.
 * @param {'unit' | 'integration'} name
 * @returns {Step}
 */
export function jestStep(name) {
  return {
    name,
    run: async (args = [], onOutput) => {
      const words = ['--selectProjects', name, '--passWithNoTests', ...args]
      /** @type {WithReport<JestReport>} */
      const { report, code, output } = await runWithReport({
        command: (file) => nodeBin('jest/bin/jest.js', '--json', `--outputFile=${file}`, ...words),
        env: () => ({ ...process.env, ...NEXT_ENVIRONMENT, NODE_ENV: 'test' }),
        onOutput,
      })
      if (!report) return oneTest(code === 0, output)
      return atLeastOneFailure(code, {
        passed: report.numPassedTests,
        failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
        skipped: report.numPendingTests + report.numTodoTests,
        output: withoutPassed(output),
        failures: failuresOfJest(report),
      })
    },
  }
}

/**
 * Returns the command of a test program that imports our TypeScript and starts its own processes and databases.
 * @param {string} file
 * @returns {MakeCommand}
 */
const program = (file) => () => [
  process.execPath,
  ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs', file],
]

const freshSeed = () => Date.now() % 1_000_000

/**
 * Creates a step that runs a test program once per seed. The seed is always printed, by the step or by the program
 * itself, so that the same run can be repeated.
 * @param {string} name
 * @param {{ file: string, words: string[], seeds: () => number[] }} options
 * @returns {Step}
 */
const seededStep = (name, { file, words, seeds }) => ({
  name,
  run: async (args = [], onOutput) => {
    const result = { passed: 0, failed: 0, skipped: 0, output: '' }
    for (const seed of seeds()) {
      const [command, start] = program(file)()
      const env = { ...process.env, ...NEXT_ENVIRONMENT }
      const all = [...start, ...words, '--seed', String(seed), ...args]
      const { code, output } = await runCommand(command, all, { env, onOutput, timeoutMs: SEEDED_MS })
      result[code === 0 ? 'passed' : 'failed'] += 1
      result.output += output
      if (!onOutput) console.log(`  ${name}: seed ${seed} ${code === 0 ? 'found nothing' : 'failed'}`)
    }
    return result
  },
})

/** The short version of `npm run torture`: one storm of half a minute with a fixed seed and one with a fresh seed. */
export const tortureStep = seededStep('torture', {
  file: 'tests/torture/torture.ts',
  words: ['--seconds', '30'],
  seeds: () => [FIXED_SEED, freshSeed()],
})

/** The short version of `npm run fuzz`. */
export const fuzzStep = seededStep('fuzz', {
  file: 'tests/fuzz/fuzz.ts',
  words: ['--requests', '3000'],
  seeds: () => [freshSeed()],
})

/**
 * Runs the browser tests against a server that is already running.
 * @param {Record<string, string>} env where the server is, and which browser to use
 * @param {string[]} [args]
 * @param {OnOutput} [onOutput]
 * @returns {Promise<Result>}
 */
export async function runPlaywright(env, args = [], onOutput) {
  /** @type {WithReport<import('@playwright/test/reporter').JSONReport>} */
  const { report, code, output } = await runWithReport({
    command: () => nodeBin('@playwright/test/cli.js', 'test', ...args),
    env: (file) => ({ ...process.env, ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }),
    onOutput,
  })
  if (!report) return oneTest(code === 0, output)
  const { expected, unexpected, flaky, skipped } = report.stats
  const failures = report.suites.flatMap(failuresOfPlaywright)
  return atLeastOneFailure(code, { passed: expected + flaky, failed: unexpected, skipped, output, failures })
}

/**
 * @param {JestReport} report
 * @returns {string[]} like `lib/kernel/money.test.ts: formats cents`; a file that could not be run has only its name
 */
function failuresOfJest({ testResults }) {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(root, name)
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [file] : []
    return failed.map(({ fullName }) => `${file}: ${fullName}`)
  })
}

/**
 * @param {import('@playwright/test/reporter').JSONReportSuite} suite
 * @returns {string[]} like `share.spec.ts:12: copies the link`
 */
function failuresOfPlaywright({ specs, suites = [] }) {
  const failed = specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `${file}:${line}: ${title}`)
  return [...failed, ...suites.flatMap(failuresOfPlaywright)]
}

/**
 * @template Report
 * @typedef {{ report: Report | null, code: number, output: string }} WithReport
 */

/**
 * Runs a program that writes a report as JSON, and reads the report; `report` is null if the program wrote none.
 * @param {{
 *   command: (reportFile: string) => [command: string, args: string[]],
 *   env: (reportFile: string) => NodeJS.ProcessEnv,
 *   onOutput?: OnOutput,
 * }} options
 */
async function runWithReport({ command, env, onOutput }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-report-'))
  const file = path.join(folder, 'report.json')
  try {
    const [program, words] = command(file)
    const { code, output } = await runCommand(program, words, { env: env(file), onOutput, timeoutMs: SUITE_MS })
    return { report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null, code, output }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Counts at least one failed test when the program failed. A suite that fails in its setup, crashes or has no tests
 * reports no failed test itself.
 * @param {number} code
 * @param {Result} result
 * @returns {Result}
 */
function atLeastOneFailure(code, result) {
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result
}

const withoutPassed = (/** @type {string} */ output) =>
  output
    .split('\n')
    .filter((line) => !/^PASS /.test(line))
    .join('\n')
