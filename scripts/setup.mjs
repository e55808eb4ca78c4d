// npm run setup: asks for what an installation needs and writes it to .env.
//   npm run setup                                            asks
//   npm run setup -- --app-url https://drops.example …       no questions: a flag for each variable of .env.example
//   --yes: ask nothing. --replace: also change what .env has already. --file: another file than .env.
import './require-node.mjs'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs, parseEnv } from 'node:util'
import { isLocalOrigin, readEnvironment } from '../lib/infra/env-rules.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { writePrivate } from './environment.mjs'
import { reportFailure } from './report-failure.mjs'
import { root } from './run-command.mjs'

/** @typedef {Record<string, string | undefined>} Values */

/** @type {[name: string, question: string, isWanted: (values: Values) => boolean][]} */
const QUESTIONS = [
  ['APP_URL', 'The public address, like https://drops.example. Empty: only this machine', () => true],
  ['DATABASE_URL', 'A Postgres database, postgresql://… Empty: one of its own in DATA_DIR', () => true],
  [
    'DIRECT_DATABASE_URL',
    'The same database without its pooler. Empty: there is none',
    (values) => Boolean(values.DATABASE_URL),
  ],
  ['TRUSTED_PROXY_HOPS', 'How many proxies are in front. Empty: none', isPublic],
  ['ADMIN_EMAIL', 'The email address of the administrator. Empty: none', () => true],
  ['STRIPE_SECRET_KEY', "Stripe's secret key. Empty: no real payments", isPublic],
  ['NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY', "Stripe's publishable key", (values) => Boolean(values.STRIPE_SECRET_KEY)],
  ['STRIPE_WEBHOOK_SECRET', "The signing secret of Stripe's webhook", (values) => Boolean(values.STRIPE_SECRET_KEY)],
  [
    'ALLOW_SANDBOX_PAYMENTS',
    '1 for the sandbox, with a banner. Empty: payments are off',
    (values) => isPublic(values) && !values.STRIPE_SECRET_KEY,
  ],
  ['SMTP_URL', 'The mail server, smtp://user:password@host:port. Empty: mail is not sent', isPublic],
  ['MAIL_FROM', 'The sender of all mail, like Drops <hello@drops.example>', (values) => Boolean(values.SMTP_URL)],
  ['BRAND_NAME', 'The name of your platform. Empty: Lastcall', isPublic],
  ['SUPPORT_EMAIL', 'Where users write to for help', isPublic],
]

/** @param {Values} values */
function isPublic({ APP_URL }) {
  return Boolean(APP_URL && URL.canParse(APP_URL) && !isLocalOrigin(APP_URL))
}

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
  if (made.ADMIN_PASSWORD) console.log(`  The administrator ${values.ADMIN_EMAIL} logs in with ${made.ADMIN_PASSWORD}`)
  console.log('  Start with: npm start')
}

/** @param {string[]} names every variable there is */
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
 * Asks for what is missing.
 * @param {Values} values the answers are added here
 */
async function ask(values) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  for (const [name, question, isWanted] of QUESTIONS) {
    if (values[name] || !isWanted(values)) continue
    const answer = (await terminal.question(`${question}\n  ${name}: `)).trim()
    if (answer) values[name] = answer
  }
  terminal.close()
}

/**
 * Makes the secrets that are needed and missing. An installation with the embedded database keeps its own in DATA_DIR.
 * @param {Values} values the secrets are added here
 * @returns {Values} what was made
 */
function addSecrets(values) {
  /** @type {Values} */
  const made = {}
  const secret = (/** @type {number} */ bytes) => randomBytes(bytes).toString('base64url')
  if (values.DATABASE_URL && !values.AUTH_SECRET && !values.NEXTAUTH_SECRET) made.AUTH_SECRET = secret(32)
  if (values.DATABASE_URL && !values.CRON_SECRET) made.CRON_SECRET = secret(32)
  if (values.ADMIN_EMAIL && !values.ADMIN_PASSWORD) made.ADMIN_PASSWORD = secret(15)
  Object.assign(values, made)
  return made
}

/**
 * Puts values into the lines of a file; names that it does not have come at its end.
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
