// The variables that name databases and the rules for their values (docs/contract.md#environment).
import { saysPooler } from '../kernel/database-address.mjs'
import { isUrl } from './is-url.mjs'

/** @import { Check } from './env-rules.mjs' */

/** @typedef {'DATABASE_URL' | 'DIRECT_DATABASE_URL' | 'READ_DATABASE_URL'} DatabaseVariable */

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Returns the problems of a database's URL. Each is one line that says how to correct it.
 * @param {DatabaseVariable} name the variable that contains the URL
 * @param {string} value
 * @returns {string[]}
 */
export function problemsOfAddress(name, value) {
  if (!isUrl(value, ['postgres:', 'postgresql:'])) {
    const instead = name === 'DATABASE_URL' ? 'the embedded database' : 'DATABASE_URL'
    return [
      `${name} is not a Postgres address: give postgresql://user:password@host:port/name, or unset it for ${instead}.`,
    ]
  }
  const { searchParams } = new URL(value)
  const mode = searchParams.get('sslmode') ?? 'prefer'
  if (!SSL_MODES.includes(mode)) return [`${name} has sslmode=${mode}: give one of ${SSL_MODES.join(', ')}.`]
  if (mode === 'verify-ca' && !searchParams.has('sslrootcert')) {
    return [
      `${name} has sslmode=verify-ca without sslrootcert: add &sslrootcert=<file with the authority's certificate>, or use verify-full.`,
    ]
  }
  return []
}

/**
 * Reads the URLs of the database for statements, for work that needs a session, and for reads.
 * @param {Record<DatabaseVariable, string | null>} urls
 * @param {boolean} isServerless
 * @param {Check} check
 */
export function readDatabases(urls, isServerless, check) {
  const { DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: directDatabaseUrl, READ_DATABASE_URL: readDatabaseUrl } = urls
  for (const [name, value] of Object.entries(urls)) {
    if (value === null) continue
    const problems = problemsOfAddress(/** @type {DatabaseVariable} */ (name), value)
    for (const problem of problems) check(false, problem)
    check(databaseUrl !== null, `${name} is set without DATABASE_URL: set DATABASE_URL too, or unset it.`)
    if (problems.length > 0) continue
    check(
      name !== 'DATABASE_URL' || !saysPooler(value) || directDatabaseUrl !== null,
      'DIRECT_DATABASE_URL is missing: DATABASE_URL names a connection pooler (pgbouncer=true), and migrations need the URL of the database itself.',
    )
  }
  check(
    databaseUrl !== null || !isServerless,
    'DATABASE_URL is missing: a serverless host keeps no files, so the embedded database cannot run there.',
  )
  return { databaseUrl, directDatabaseUrl, readDatabaseUrl }
}
