// npm run setup asks for the settings of an installation and writes them to .env.
//   npm run setup                                            asks for the settings that are missing
//   npm run setup -- --app-url https://drops.example …       asks nothing; each variable of .env.example has a flag
// --yes asks nothing, --replace also changes values that .env already has, and --file names a file other than .env.
import './require-node.mjs'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs, parseEnv } from 'node:util'
import { readEnvironment } from '../lib/infra/env-rules.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { addSecrets } from './add-secrets.mjs'
import { askSettings } from './ask-settings.mjs'
import { writePrivate } from './load-environment.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

/** @typedef {Record<string, string | undefined>} Values */

process.chdir(root)
try {
  await setUp()
} catch (error) {
  reportFailure(error)
}

async function setUp() {
  const example = readFileSync(path.join(root, '.env.example'), 'utf8')
  const names = Object.keys(parseEnv(example))
  const { file, isAsking, isReplacing, given } = readFlags(names)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null
  const known = text === null ? {} : parseEnv(text)
  for (const [name, value] of Object.entries(given)) {
    if (!known[name] || known[name] === value || isReplacing) continue
    throw new Refusal(`${name} is set in ${file} already: add --replace to change it. Nothing was written.`)
  }
  const values = { ...known, ...given }
  if (isAsking) await ask(values)
  const made = addSecrets(values)
  const { problems } = readEnvironment(values)
  if (problems.length > 0) throw new Refusal([...problems, 'Nothing was written.'].join('\n'))

  const changed = Object.keys(values).filter((name) => values[name] && values[name] !== known[name])
  if (changed.length === 0) return void console.log(`✓ ${file} has everything. Start with: npm start`)
  writePrivate(file, fill(text ?? example, changed, values))
  console.log(`✓ ${file} has ${changed.join(', ')}`)
  if (made.ADMIN_PASSWORD) console.log(`  The administrator ${values.ADMIN_EMAIL} signs in with ${made.ADMIN_PASSWORD}`)
  console.log('  Start with: npm start')
}

/** @param {string[]} names all variables of .env.example */
function readFlags(names) {
  const flagOf = (/** @type {string} */ name) => name.toLowerCase().replaceAll('_', '-')
  const text = { type: /** @type {const} */ ('string') }
  const flag = { type: /** @type {const} */ ('boolean'), default: false }
  /** @type {NonNullable<import('node:util').ParseArgsConfig['options']>} */
  const options = {
    ...Object.fromEntries(names.map((name) => [flagOf(name), text])),
    yes: flag,
    replace: flag,
    file: text,
  }
  /** @type {Record<string, unknown>} */
  let flags
  try {
    flags = parseArgs({ options }).values
  } catch (error) {
    throw new Refusal(
      `${error instanceof Error ? error.message : error} The flags are those of .env.example: --app-url …`,
    )
  }
  /** @type {Values} */
  const given = {}
  for (const name of names) {
    const value = flags[flagOf(name)]
    if (typeof value === 'string') given[name] = value
  }
  return {
    file: path.resolve(typeof flags.file === 'string' ? flags.file : '.env'),
    isAsking: process.stdin.isTTY && flags.yes !== true && Object.keys(given).length === 0,
    isReplacing: flags.replace === true,
    given,
  }
}

/**
 * Asks in the terminal for the missing values.
 * @param {Values} values the answers are added here
 * @throws {Refusal} when the terminal closes or Ctrl-C ends the questions
 */
async function ask(values) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ended = new AbortController()
  terminal.once('close', () => ended.abort())
  try {
    await askSettings(
      values,
      (question) => terminal.question(question, { signal: ended.signal }),
      (problem) => console.log(`! ${problem}`),
    )
  } catch (error) {
    throw ended.signal.aborted ? new Refusal('\nNothing was written.') : error
  } finally {
    terminal.close()
  }
}

/**
 * Returns the text of a .env file with new values. Variables that the text does not have are added at its end.
 * @param {string} text
 * @param {string[]} names
 * @param {Values} values
 */
function fill(text, names, values) {
  let filled = text.endsWith('\n') || text === '' ? text : `${text}\n`
  for (const name of names) {
    const line = `${name}=${quote(name, values[name] ?? '')}`
    const place = new RegExp(`^${name}=.*$`, 'm')
    filled = place.test(filled) ? filled.replace(place, () => line) : `${filled}${line}\n`
  }
  return filled
}

/**
 * @param {string} name
 * @param {string} value
 */
function quote(name, value) {
  if (/^[\w@%+=:,./?&-]*$/.test(value)) return value
  const mark = ['"', "'", '`'].find((candidate) => !value.includes(candidate))
  if (!mark || value.includes('\n'))
    throw new Refusal(`${name} cannot be written to a file: it has every kind of quote.`)
  return `${mark}${value}${mark}`
}
