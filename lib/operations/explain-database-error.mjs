import { codeOf, messageOf } from '../kernel/caught-error.mjs'
import { placeOf } from '../kernel/database-address.mjs'

/** The errors while a database or its machine is still starting. Waiting helps. */
const NOT_THERE_YET = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', '57P03']

/** @param {unknown} error */
export function isNotThereYet(error) {
  return NOT_THERE_YET.includes(codeOf(error) ?? '') || /Connection terminated|timeout expired/.test(messageOf(error))
}

/** @type {Record<string, string>} by the code of Postgres, of Node's network or of its TLS */
const ADVICE = {
  ECONNREFUSED: 'nothing listens there: start it, or correct host and port',
  ENOTFOUND: 'there is no host of that name: correct it',
  EAI_AGAIN: 'there is no host of that name: correct it, or mend the name server',
  ETIMEDOUT: 'it does not answer: check host, port and firewall',
  EHOSTUNREACH: 'it does not answer: check host, port and firewall',
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
    'its certificate signs itself: add sslrootcert=<its certificate>, or use sslmode=require',
  SELF_SIGNED_CERT_IN_CHAIN:
    "its certificate comes from an authority of its own: add sslrootcert=<the authority's certificate>",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate comes from an unknown authority: add sslrootcert=<the authority's certificate>",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "its certificate comes from an unknown authority: add sslrootcert=<the authority's certificate>",
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host: correct the host, or use sslmode=verify-ca',
  CERT_HAS_EXPIRED: 'its certificate has expired: renew it',
  ENOENT: 'a file of the address (sslrootcert, sslcert, sslkey) is missing: correct its path',
}

/** @type {[words: RegExp, advice: string][]} for errors whose code says too little */
const ADVICE_BY_WORDS = [
  [/does not support SSL connections/, 'it does not speak TLS: use sslmode=disable'],
  [/no pg_hba\.conf entry.*no encryption|SSL.*required|requires SSL/i, 'it wants TLS: add sslmode=require'],
  [
    /unsupported startup parameter|prepared statement .* (?:does not exist|already exists)/,
    'a connection pooler in transaction mode answers there: set DIRECT_DATABASE_URL to the address of the database itself',
  ],
  [
    /no pg_hba\.conf entry/,
    'it does not let this machine in: add it to pg_hba.conf or to the list of allowed addresses',
  ],
  [/timeout expired/, 'it does not answer: check host, port and firewall'],
]

/**
 * One line about a database that cannot be used: which variable, what is wrong, what to do.
 * @param {string} name the variable that has the address
 * @param {string} databaseUrl
 * @param {unknown} error
 */
export function explainDatabaseError(name, databaseUrl, error) {
  const [code, message] = [codeOf(error) ?? '', messageOf(error)]
  const advice = ADVICE_BY_WORDS.find(([words]) => words.test(message))?.[1] ?? ADVICE[code]
  const said = [code, message].filter(Boolean).join(': ').replaceAll('\n', ' ')
  return `${name}: the database at ${placeOf(databaseUrl)} cannot be used; ${advice ?? 'see what it says'}. (${said})`
}
