import { Socket } from 'node:net'
import pg from 'pg'
import { retryUntilThere } from '../kernel/retry-until-there.mjs'
import { driverAddress } from '../kernel/database-address.mjs'

const RECONNECT_MS = 1_000
/**
 * How often the listener asks whether its connection still works, and how long it waits for the answer. The networks of
 * large hosts silently drop connections that are idle for four minutes, and nothing else would notice that for hours.
 */
const BEAT_MS = 15_000
const ANSWER_MS = 10_000
const session = { application_name: 'lastcall-cache', keepAlive: true }

/**
 * Listens for changes of drops and profiles, and for pauses of the platform. Triggers of the database
 * (prisma/migrations) announce these changes to every process. Connects again after the connection is lost or does not
 * answer anymore.
 * @param {string} databaseUrl must not lead to a pooler in transaction mode, because LISTEN does not work through it
 * @param {{
 *   onChange: (path: string) => void,
 *   onAnyChange: () => void,
 * }} listeners `onChange` is called with each path that shows the changed row, in lower case; `onAnyChange` is called
 *   when anything may have changed: after a lost connection, and when the platform is paused or resumed
 * @param {{ beatMs?: number, answerMs?: number }} [times]
 * @throws when the first connection cannot be made
 */
export async function listenForChanges(
  databaseUrl,
  { onChange, onAnyChange },
  { beatMs = BEAT_MS, answerMs = ANSWER_MS } = {},
) {
  /** @type {pg.Client | null} */
  let client = null
  /** Whether the first connection was made. If it fails, nobody can close the listener, so it does not try again. */
  let isStarted = false
  let isClosed = false
  let isPaused = false
  /** @type {NodeJS.Timeout | undefined} */
  let retry
  const connect = async () => {
    // The driver does not close a connection that has stopped answering, so the socket is closed here.
    const socket = new Socket()
    const next = new pg.Client({
      ...session,
      connectionString: driverAddress(databaseUrl),
      stream: () => socket,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    })
    /** @type {NodeJS.Timeout | undefined} */
    let beat
    const onLost = () => {
      clearTimeout(beat)
      if (client === next) client = null
      // Until the connection is back, changes are missed.
      onAnyChange()
      if (isStarted && !isClosed) retry = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS)
    }
    next.on('error', () => {})
    next.on('notification', ({ channel, payload = '' }) => {
      if (channel === 'platform_changed') {
        isPaused = payload === 'false'
        onAnyChange()
      } else {
        for (const path of pathsOf(channel, payload)) onChange(path)
      }
    })
    try {
      await next.connect()
      await next.query('LISTEN drop_changed')
      await next.query('LISTEN profile_changed')
      await next.query('LISTEN platform_changed')
      const { rows } = await next.query('SELECT FROM "PlatformSettings" WHERE "id" = 1 AND NOT "isActive"')
      isPaused = rows.length > 0
    } catch (error) {
      socket.destroy()
      onLost()
      throw error
    }
    // The caller has closed the listener while this connection was being made.
    if (isClosed) return next.end()
    next.once('end', onLost)
    const ask = () => {
      const wait = () => (beat = setTimeout(ask, beatMs).unref())
      next.query('SELECT 1').then(wait, () => socket.destroy())
    }
    beat = setTimeout(ask, beatMs).unref()
    client = next
  }
  await retryUntilThere(connect)
  isStarted = true
  return {
    /** Whether changes arrive at the moment. While this is false, no request may be answered from memory. */
    isListening: () => client !== null,
    isPaused: () => isPaused,
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}

/**
 * @param {string} channel
 * @param {string} payload a username, or every identifier of a drop, separated by spaces
 */
function pathsOf(channel, payload) {
  if (channel === 'profile_changed') return [`/profile/${payload}`, `/api/profile/public/${payload}`]
  const identifiers = payload.toLowerCase().split(' ')
  return identifiers.flatMap((identifier) => [
    `/drop/${identifier}`,
    `/drop/${identifier}/runs`,
    `/drop/${identifier}/edition`,
    `/api/drop/${identifier}`,
  ])
}
