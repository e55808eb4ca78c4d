import { once } from 'node:events'
import { createServer } from 'node:net'
import { codeOf } from '../lib/kernel/caught-error.mjs'

/** @import { AddressInfo } from 'node:net' */

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>} false when another program uses it, or this user may not; an address that is not here is free
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

/** A port of 127.0.0.1 that nothing listens on at this moment. */
export async function findFreePort() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {AddressInfo} */ (server.address())
  await new Promise((resolve) => server.close(resolve))
  return port
}
