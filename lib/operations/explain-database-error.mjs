import { codeOf, messageOf } from '../kernel/caught-error.mjs'
import { placeOf } from '../kernel/database-address.mjs'

/**
 * Whether an error probably comes from the database or from the connection to it, which is assumed of every error with
 * a code. Errors of the schema engine have no code, but begin as Postgres prints them.
 * @param {unknown} error
 */
export function isOfDatabase(error) {
  return codeOf(error) !== undefined || /^(?:ERROR|FATAL): /.test(messageOf(error))
}

/** The stack trace that the schema engine appends to its messages. */
const ENGINE_TRACE = /\n\s+0: [\s\S]*$/

/** @type {Record<string, string>} the advice by error code of Postgres, of Node's network layer or of its TLS layer */
const ADVICE = {
  ECONNREFUSED: 'nothing listens there: start it, or correct host and port',
  ENOTFOUND: 'there is no host of that name: correct it',
  EAI_AGAIN: 'there is no host of that name: correct it, or fix the DNS server',
  ETIMEDOUT: 'it does not respond: check host, port and firewall',
  EHOSTUNREACH: 'it does not respond: check host, port and firewall',
  '28P01': 'it refuses the user or the password: correct them',
  '3D000': 'it has no database of that name: create it, or correct the name',
  42501: 'the user may not do this: let it own the database',
  '42P01': 'it is not migrated: run "npm run migrate"',
  42703: 'it is not migrated to this version: run "npm run migrate"',
  53100: 'its disk is full: free some space there',
  53300: 'it accepts no more connections: end others, or use a pooler (DATABASE_URL) beside DIRECT_DATABASE_URL',
  '57P03': 'it is still starting: try again in a minute',
  25006: 'it accepts no writes: name the primary, not a replica, or free some space on its disk',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed: add sslrootcert=<its certificate>, or use sslmode=require',
  SELF_SIGNED_CERT_IN_CHAIN:
    "its certificate comes from an authority of its own: add sslrootcert=<the authority's certificate>",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate comes from an unknown authority: add sslrootcert=<the authority's certificate>",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "its certificate comes from an unknown authority: add sslrootcert=<the authority's certificate>",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host: correct the host, or use sslmode=verify-ca',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it',
  ENOENT: 'a file that the URL names (sslrootcert, sslcert, sslkey) is missing: correct its path',
}

/** @type {[words: RegExp, advice: string][]} the advice for errors whose code is not specific enough */
const ADVICE_BY_WORDS = [
  [/does not support SSL connections/, 'it does not support TLS: use sslmode=disable'],
  [/no pg_hba\.conf entry.*no encryption|SSL.*required|requires SSL/i, 'it requires TLS: add sslmode=require'],
  [
    /unsupported startup parameter|prepared statement .* (?:does not exist|already exists)/,
    'this is a connection pooler in transaction mode: set DIRECT_DATABASE_URL to the URL of the database itself',
  ],
  [
    /no pg_hba\.conf entry/,
    'it does not let this machine in: add it to pg_hba.conf or to the list of allowed addresses',
  ],
  [/permission denied/, 'the user may not do this: let it own the database'],
  [/read-only transaction/, 'it accepts no writes: name the primary, not a replica, or free some space on its disk'],
  [/No space left on device/, 'its disk is full: free some space there'],
  [/timeout expired/, 'it does not respond: check host, port and firewall'],
]

/**
 * Returns one line about a database that cannot be used: the variable, the problem, and what to do.
 * @param {string} name the environment variable with the database URL
 * @param {string} databaseUrl
 * @param {unknown} error
 */
export function explainDatabaseError(name, databaseUrl, error) {
  const [code, message] = [codeOf(error) ?? '', messageOf(error).replace(ENGINE_TRACE, '')]
  const advice = ADVICE_BY_WORDS.find(([words]) => words.test(message))?.[1] ?? ADVICE[code]
  const detail = [code, message].filter(Boolean).join(': ').replaceAll('\n', ' ')
  return `${name}: the database at ${placeOf(databaseUrl)} cannot be used; ${advice ?? 'its own message follows'}. (${detail})`
}
