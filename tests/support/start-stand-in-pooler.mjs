// A small connection pooler in transaction mode for tests. Like pgbouncer 1.18, it refuses unknown startup parameters,
// and lets a client use a Postgres connection for one transaction only. It does not reset the connection afterwards.
import { createServer } from 'node:net'
import pg from 'pg'

/**
 * @import { AddressInfo } from 'node:net'
 * @import { Duplex } from 'node:stream'
 * @typedef {{ idle: Duplex[], waiting: ((server: Duplex) => void)[], opened: number }} Pool
 */

const POOL_SIZE = 8
const KNOWN_PARAMETERS = ['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone']
const [SSL_REQUEST, CANCEL_REQUEST] = [80_877_103, 80_877_102]

/** @param {string} serverUrl */
export async function startStandInPooler(serverUrl) {
  /** @type {Map<string, Pool>} by database */
  const pools = new Map()
  /** @type {Set<Duplex>} */
  const sockets = new Set()
  /** @type {Map<Duplex, Duplex>} the client that uses a Postgres connection, by the connection */
  const users = new Map()
  let isStopped = false
  const note = (/** @type {Duplex} */ socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }

  /** @param {string} database */
  const poolOf = (database) => {
    const pool = pools.get(database) ?? { idle: [], waiting: [], opened: 0 }
    pools.set(database, pool)
    return pool
  }

  /**
   * Returns the Postgres connection that has been idle for the longest time. If at most one is idle and the pool is not
   * full, the function opens a new connection. If the pool is full and none is idle, the function waits for one.
   * @param {string} database
   * @param {Duplex} client the client that will use it. Its connection closes when the Postgres connection closes.
   * @returns {Promise<Duplex>}
   */
  const take = async (database, client) => {
    const server = await open(database)
    users.set(server, client)
    return server
  }

  /**
   * @param {string} database
   * @returns {Promise<Duplex>}
   */
  const open = async (database) => {
    const pool = poolOf(database)
    const ready = pool.idle.length > 1 || pool.opened === POOL_SIZE ? pool.idle.shift() : undefined
    if (ready) return ready
    if (pool.opened === POOL_SIZE) return new Promise((resolve) => pool.waiting.push(resolve))
    pool.opened += 1
    const url = new URL(serverUrl)
    url.pathname = `/${database}`
    const client = new pg.Client(url.href)
    await client.connect()
    /** @type {Duplex} */
    const stream = Reflect.get(client, 'connection').stream
    stream.removeAllListeners()
    note(stream)
    stream.once('close', () => {
      pool.opened -= 1
      pool.idle = pool.idle.filter((other) => other !== stream)
      users.get(stream)?.destroy()
      users.delete(stream)
      const next = isStopped ? undefined : pool.waiting.shift()
      if (next) void open(database).then(next)
    })
    return stream
  }

  /**
   * @param {string} database
   * @param {Duplex} server
   */
  const giveBack = (database, server) => {
    const pool = poolOf(database)
    users.delete(server)
    server.removeAllListeners('data')
    const next = pool.waiting.shift()
    if (next) next(server)
    else pool.idle.push(server)
  }

  const listener = createServer((client) => {
    note(client)
    void serve(client, take, giveBack).catch(() => client.destroy())
  })
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {AddressInfo} */ (listener.address())
  return {
    port,
    stop: async () => {
      isStopped = true
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

/**
 * @param {Duplex} client
 * @param {(database: string, client: Duplex) => Promise<Duplex>} take
 * @param {(database: string, server: Duplex) => void} giveBack
 */
async function serve(client, take, giveBack) {
  const database = await readStartup(client)
  if (database === null) return
  /** @type {Duplex | null} */
  let server = null
  let unanswered = 0
  const onAnswers = framesOf((type, frame) => {
    client.write(frame)
    if (type !== 'Z') return
    unanswered -= 1
    // The status 'I' means that no transaction is open.
    if (server === null || unanswered > 0 || frame[5] !== 'I'.charCodeAt(0)) return
    giveBack(database, server)
    server = null
  })
  client.once('close', () => server?.destroy())
  /** @type {Promise<void>} */
  let chain = Promise.resolve()
  client.on(
    'data',
    framesOf((type, frame) => {
      chain = chain.then(async () => {
        if (type === 'X') return void client.end()
        if (!server) {
          server = await take(database, client)
          server.on('data', onAnswers)
        }
        if (type === 'Q' || type === 'S') unanswered += 1
        server.write(frame)
      })
      chain.catch(() => client.destroy())
    }),
  )
}

/**
 * Splits the data of a connection into messages. A message begins with a letter for its type and four bytes of length.
 * @param {(type: string, frame: Buffer) => void} onFrame
 */
function framesOf(onFrame) {
  /** @type {Buffer<ArrayBufferLike>} */
  let rest = Buffer.alloc(0)
  return (/** @type {Buffer} */ chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const length = rest.readUInt32BE(1) + 1
      const frame = rest.subarray(0, length)
      rest = rest.subarray(length)
      onFrame(String.fromCharCode(frame[0] ?? 0), frame)
    }
  }
}

/**
 * Reads the first message of a client, and accepts or refuses the client.
 * @param {Duplex} client
 * @returns {Promise<string | null>} the database that the client asked for, or null if the connection was ended
 */
async function readStartup(client) {
  /** @type {Buffer} */
  const message = await new Promise((resolve) => client.once('data', resolve))
  const code = message.readUInt32BE(4)
  if (code === SSL_REQUEST) {
    client.write('N')
    return readStartup(client)
  }
  if (code === CANCEL_REQUEST) {
    client.destroy()
    return null
  }
  const words = message.subarray(8).toString('utf8').split('\0')
  const names = words.filter((word, at) => at % 2 === 0 && word !== '')
  const unknown = names.find((name) => !KNOWN_PARAMETERS.includes(name))
  if (unknown) {
    client.end(frame('E', `SFATAL\0C08P01\0Munsupported startup parameter: ${unknown}\0\0`))
    return null
  }
  client.write(frame('R', '\0\0\0\0'))
  client.write(frame('S', 'client_encoding\0UTF8\0'))
  client.write(frame('S', 'standard_conforming_strings\0on\0'))
  client.write(frame('K', '\0\0\0\u0001\0\0\0\u0001'))
  client.write(frame('Z', 'I'))
  return words[words.indexOf('database') + 1] ?? null
}

/**
 * @param {string} type
 * @param {string} content
 */
function frame(type, content) {
  const bytes = Buffer.from(content, 'latin1')
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
