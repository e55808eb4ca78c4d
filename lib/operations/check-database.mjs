// Checks whether the databases of the environment can be used. The scripts that start the application and those that
// maintain it call these functions before they use a database.
import { connect } from 'node:net'
import pg from 'pg'
import { messageOf } from '../kernel/caught-error.mjs'
import { driverAddress } from '../kernel/database-address.mjs'
import { explainDatabaseError } from './explain-database-error.mjs'
import { Refusal } from './refusal.mjs'
import { retryUntilThere } from '../kernel/retry-until-there.mjs'

const CONNECT_MS = 5_000
const OLDEST_SERVER = 14

/**
 * Waits until a database responds.
 * @param {string} name the environment variable with the database URL
 * @param {string} databaseUrl
 * @param {{ waitMs: number, onWaiting?: (cause: string) => void }} options `onWaiting` is called with the cause if the
 *   first attempt fails and another one follows
 * @throws {Refusal} when the database is too old, and, with the advice of explainDatabaseError(), when it does not
 *   respond in time or fails with an error that waiting does not solve
 */
export async function awaitDatabase(name, databaseUrl, { waitMs, onWaiting }) {
  try {
    await retryUntilThere(() => checkVersion(name, databaseUrl), {
      waitMs,
      onWaiting: (error) => onWaiting?.(messageOf(error)),
    })
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(explainDatabaseError(name, databaseUrl, error))
  }
}

/**
 * @param {string} name
 * @param {string} databaseUrl
 */
async function checkVersion(name, databaseUrl) {
  const version = await withClient(databaseUrl, async (client) => {
    /** @type {{ rows: { version: number }[] }} */
    const { rows } = await client.query(`SELECT current_setting('server_version_num')::int AS version`)
    return Math.floor((rows[0]?.version ?? 0) / 10_000)
  })
  if (version < OLDEST_SERVER) {
    throw new Refusal(`${name}: this is Postgres ${version}; use version ${OLDEST_SERVER} or later.`)
  }
}

/**
 * @template Result
 * @param {string} databaseUrl
 * @param {(client: pg.Client) => Promise<Result>} work
 */
async function withClient(databaseUrl, work) {
  const client = new pg.Client({ connectionString: driverAddress(databaseUrl), connectionTimeoutMillis: CONNECT_MS })
  // Without a listener, an error event between two statements would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const ROUNDS = 20

/**
 * Whether a database URL leads to a pooler that assigns connections for one transaction at a time. Only behind such a
 * pooler can two clients get the same process of Postgres, or one client different processes.
 * @param {string} databaseUrl
 */
export function isTransactionPooler(databaseUrl) {
  return withClient(databaseUrl, (one) =>
    withClient(databaseUrl, async (other) => {
      const processOf = async (/** @type {pg.Client} */ client) => {
        /** @type {{ rows: { pid: number }[] }} */
        const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
        return rows[0]?.pid
      }
      const [ofOne, ofOther] = [new Set([await processOf(one)]), new Set([await processOf(other)])]
      for (let round = 0; round < ROUNDS; round++) {
        const [a, b] = [await processOf(one), await processOf(other)]
        if (ofOther.has(a) || ofOne.has(b) || a === b) return true
        // A client has a different process than before, so a pooler has changed its connection.
        if (!ofOne.has(a) || !ofOther.has(b)) return true
        // This extra query changes the order, because a pooler that alternates between two connections would otherwise
        // give each client the same connection every time.
        await processOf(one)
      }
      return false
    }),
  )
}

/**
 * Refuses a database URL that leads to a pooler in transaction mode, for uses that need a session. A database that
 * restarts meanwhile is asked again.
 * @param {string} name the environment variable with the database URL
 * @param {string} databaseUrl
 * @throws {Refusal}
 */
export async function refuseTransactionPooler(name, databaseUrl) {
  if (await retryUntilThere(() => isTransactionPooler(databaseUrl))) throw new Refusal(poolerText(name))
}

/** @param {string} name the variable with the URL */
const poolerText = (name) =>
  name === 'DATABASE_URL'
    ? 'DATABASE_URL leads to a connection pooler in transaction mode: set DIRECT_DATABASE_URL to the URL of the database itself, which migrations and messages between processes need.'
    : `${name} leads to a connection pooler in transaction mode: set it to the URL of the database itself.`

/**
 * Checks whether the URL that is used for sessions leads to a pooler in transaction mode, for servers that our own
 * start script does not start.
 * @param {{ databaseUrl: string, directDatabaseUrl: string | null }} given
 * @returns {Promise<string | null>} what is wrong; null when nothing is, or when the database does not respond
 */
export async function transactionPoolerProblem({ databaseUrl, directDatabaseUrl }) {
  const isPooler = await isTransactionPooler(directDatabaseUrl ?? databaseUrl).catch(() => false)
  return isPooler ? poolerText(directDatabaseUrl ? 'DIRECT_DATABASE_URL' : 'DATABASE_URL') : null
}

/** The message with which libpq asks a server whether it supports TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Replaces sslmode=allow and sslmode=prefer with a mode that the server supports, because the driver cannot fall back.
 * @param {string} databaseUrl
 * @returns {Promise<string>}
 */
export async function settleSslMode(databaseUrl) {
  const url = new URL(databaseUrl)
  const mode = url.searchParams.get('sslmode')
  if (mode !== 'allow' && mode !== 'prefer') return databaseUrl
  url.searchParams.set('sslmode', (await speaksTls(url)) ? 'no-verify' : 'disable')
  return url.href
}

/**
 * @param {URL} url
 * @returns {Promise<boolean>} false also when the server does not respond
 */
function speaksTls({ hostname, port }) {
  return new Promise((resolve) => {
    const socket = connect(Number(port || 5432), hostname.replace(/^\[|\]$/g, ''), () => socket.write(SSL_REQUEST))
    socket.setTimeout(CONNECT_MS, () => socket.destroy())
    socket.once('data', (answer) => {
      resolve(answer[0] === 'S'.charCodeAt(0))
      socket.destroy()
    })
    socket.once('error', () => {}).once('close', () => resolve(false))
  })
}
