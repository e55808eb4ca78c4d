import pg from 'pg'
import { driverAddress } from '../kernel/database-address.mjs'

const RECONNECT_MS = 1_000
const session = { application_name: 'lastcall-cache', keepAlive: true }

/**
 * Listens to what the database's triggers announce to every process: that a drop, a profile or the platform has changed
 * (the triggers are in prisma/migrations).
 * @param {string} databaseUrl not that of a pooler in transaction mode, which forgets who listens
 * @param {{
 *   onChange: (path: string) => void,
 *   onAnyChange: () => void,
 * }} listeners `onChange` is called with each address that shows what has changed, in lower case; `onAnyChange` when
 *   anything may have changed
 */
export async function listenForChanges(databaseUrl, { onChange, onAnyChange }) {
  /** @type {pg.Client | null} */
  let client = null
  let isClosed = false
  let isPaused = false
  /** @type {NodeJS.Timeout | undefined} */
  let retry
  const connect = async () => {
    const next = new pg.Client({ ...session, connectionString: driverAddress(databaseUrl) })
    const onLost = () => {
      if (client === next) client = null
      // Changes are missed until the connection is back.
      onAnyChange()
      if (!isClosed) retry = setTimeout(() => void connect().catch(() => {}), RECONNECT_MS)
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
      onLost()
      throw error
    }
    next.once('end', onLost)
    client = next
  }
  await connect()
  return {
    /** Whether changes arrive. While they do not, nothing may be answered from memory. */
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
  return identifiers.flatMap((identifier) => [`/drop/${identifier}`, `/api/drop/${identifier}`])
}
