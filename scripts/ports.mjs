import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from '../lib/kernel/caught-error.mjs'

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>} false when another program uses the port or this user may not use it. If this machine
 *   does not have the address, the port counts as free.
 */
export async function isPortFree(port, host = '127.0.0.1') {
  const server = createServer()
  try {
    server.listen({ port, host, exclusive: true })
    await once(server, 'listening')
    return true
  } catch (error) {
    return !['EADDRINUSE', 'EACCES'].includes(codeOf(error) ?? '')
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

// Operating systems use ports from 32768 upwards for outgoing connections. Such a port could be taken by a connection
// before the program that wants it listens on it.
const FIRST_PORT = 10_000
const PORTS = 22_000
/** Processes with neighboring ids begin to search this far from each other, so that they do not find the same port. */
const STRIDE = 61
let searched = 0

/**
 * Returns a port on which no program listens at this moment, on IPv4 and on IPv6. Further calls in this process return
 * other ports.
 */
export async function findFreePort() {
  for (let tries = 0; tries < PORTS; tries++) {
    const port = FIRST_PORT + ((process.pid * STRIDE + searched++) % PORTS)
    if ((await isPortFree(port)) && (await isPortFree(port, '::1'))) return port
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + PORTS - 1} is free.`)
}
