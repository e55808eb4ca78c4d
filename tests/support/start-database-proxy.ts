import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * Starts a TCP proxy in front of the database, so that a test can simulate a broken network. `cut` closes all
 * connections, and new ones right after they open, until `mend` is called. `freeze` keeps the connections open without
 * passing on anything, as a network does that has silently dropped them. New connections stay silent until `mend` is
 * called, and those that were frozen stay silent forever. The database has to run on this machine, and its URL has to
 * contain the port.
 */
export async function startDatabaseProxy(databaseUrl: string) {
  const target = Number(new URL(databaseUrl).port)
  const sockets = new Set<Socket>()
  let isCut = false
  let isFrozen = false
  let unanswered = 0
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    if (isFrozen) {
      unanswered += 1
      return void sockets.add(near.on('error', () => near.destroy()))
    }
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
    freeze: () => {
      isFrozen = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    /** How many connections were opened while the proxy was frozen. */
    unanswered: () => unanswered,
    mend: () => {
      isCut = false
      isFrozen = false
    },
    stop: () => {
      cut()
      server.close()
    },
  }
}
