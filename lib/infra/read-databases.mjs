// The variables that name databases and the rules for their values (docs/operations.md, Environment).
import { isUrl } from './is-url.mjs'

/** @import { Check } from './env-rules.mjs' */

/** @typedef {'DATABASE_URL' | 'DIRECT_DATABASE_URL' | 'READ_DATABASE_URL'} DatabaseVariable */

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * The addresses of the database for statements, for what needs a session, and for reading.
 * @param {Record<DatabaseVariable, string | null>} urls
 * @param {boolean} isServerless
 * @param {Check} check
 */
export function readDatabases(urls, isServerless, check) {
  const { DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: directDatabaseUrl, READ_DATABASE_URL: readDatabaseUrl } = urls
  for (const [name, value] of Object.entries(urls)) {
    if (value === null) continue
    const isUrlOfPostgres = isUrl(value, ['postgres:', 'postgresql:'])
    const instead = name === 'DATABASE_URL' ? 'the embedded database' : 'DATABASE_URL'
    check(
      isUrlOfPostgres,
      `${name} is not a Postgres address: give postgresql://user:password@host:port/name, or unset it for ${instead}.`,
    )
    check(databaseUrl !== null, `${name} is set without DATABASE_URL: set DATABASE_URL too, or unset it.`)
    if (!isUrlOfPostgres) continue
    const { searchParams } = new URL(value)
    const mode = searchParams.get('sslmode') ?? 'prefer'
    check(SSL_MODES.includes(mode), `${name} has sslmode=${mode}: give one of ${SSL_MODES.join(', ')}.`)
    check(
      mode !== 'verify-ca' || searchParams.has('sslrootcert'),
      `${name} has sslmode=verify-ca without sslrootcert: add &sslrootcert=<file with the authority's certificate>, or use verify-full.`,
    )
    check(
      name !== 'DATABASE_URL' || searchParams.get('pgbouncer') !== 'true' || directDatabaseUrl !== null,
      'DIRECT_DATABASE_URL is missing: DATABASE_URL names a connection pooler (pgbouncer=true), and migrations need the address of the database itself.',
    )
  }
  check(
    databaseUrl !== null || !isServerless,
    'DATABASE_URL is missing: a serverless host keeps no files, so the embedded database cannot run there.',
  )
  return { databaseUrl, directDatabaseUrl, readDatabaseUrl }
}
