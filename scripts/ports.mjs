import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>} false only when somebody else has it; an address this machine lacks counts as free.
 */
export async function isPortFree(port, host = '127.0.0.1') {
  const server = createServer()
  try {
    server.listen({ port, host, exclusive: true })
    await once(server, 'listening')
    return true
  } catch (error) {
    return error.code !== 'EADDRINUSE' && error.code !== 'EACCES'
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A port of 127.0.0.1 that nobody listens on right now. */
export async function findFreePort() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}
