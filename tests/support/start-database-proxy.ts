import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Starts a TCP proxy in front of the database, so that a test can simulate a broken network. `cut` closes all
 * connections, and new ones right after they open, until `mend` is called. The database has to run on this machine, and
 * its URL has to contain the port.
 */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = Number(new URL(databaseUrl).port)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy()).on('close', () => other.destroy())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    databaseUrl: url.href,
    cut,
    mend: () => (isCut = false),
    stop: () => {
      cut()
      server.close()
    },
  }
}
