import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import path from 'node:path'
import { TLSSocket } from 'node:tls'

const folder = path.join(process.cwd(), 'tests', 'support', 'tls')

/** The self-signed certificate of the proxy. It is valid for `localhost` only and is used only in tests. */
export const certificateFile = path.join(folder, 'certificate.pem')

/** The code of the first message with which a Postgres client requests TLS. */
const SSL_REQUEST = 80_877_103

/** Starts a proxy in front of a Postgres. The proxy accepts only TLS, as many managed databases do. */
export async function startTlsProxy(databaseUrl: string) {
  const cert = readFileSync(certificateFile)
  const key = readFileSync(path.join(folder, 'key.pem'))
  const target = Number(new URL(databaseUrl).port)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    sockets.add(near)
    near.on('error', () => near.destroy())
    near.once('data', (request) => {
      if (request.readUInt32BE(4) !== SSL_REQUEST) return void near.destroy()
      near.write('S')
      const secured = new TLSSocket(near, { isServer: true, cert, key })
      const far = connect(target, '127.0.0.1')
      sockets.add(far)
      secured.on('error', () => far.destroy()).on('close', () => far.destroy())
      far.on('error', () => secured.destroy()).on('close', () => secured.destroy())
      secured.pipe(far).pipe(secured)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    /**
     * Returns the database URL through the proxy with these query parameters. `host` must be a name of this machine.
     */
    address: (parameters: string, host = 'localhost') => {
      const url = new URL(databaseUrl)
      url.hostname = host
      url.port = String(port)
      url.search = parameters
      return url.href
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
