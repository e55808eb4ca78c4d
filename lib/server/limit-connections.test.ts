import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { serverState } from '@/lib/kernel/server-state.mjs'
import { limitConnections, networkOfSocket } from './limit-connections.mjs'

let server: Server
const clients: Socket[] = []

/** All connections of this test come from the loopback address, so the test decides to which network one belongs. */
let network: string | null = null

beforeEach(async () => {
  server = createServer((_request, response) => response.end('answer'))
  limitConnections(server, { most: 2, networkOf: () => network })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  server.close()
})

/** Opens a connection from a network, sends a request, and returns the first part of the answer. */
async function answerTo(from: string | null) {
  network = from
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  clients.push(client)
  // The server may close a refused connection before it has read the request, which resets the connection.
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const [text] = (await once(client, 'data')) as [Buffer]
  return { client, text: String(text) }
}

test('the connections of a network above the limit are answered with 503, and other networks are served', async () => {
  for (const _ of [1, 2]) expect((await answerTo('203.0.113.1')).text).toMatch(/^HTTP\/1\.1 200 /)
  const { client, text } = await answerTo('203.0.113.1')
  expect(text).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: 20\r\n/)
  const [head, body] = text.split('\r\n\r\n')
  expect(head).toContain(`Content-Length: ${body?.length}`)
  if (!client.closed) await once(client, 'close')
  expect((await answerTo('203.0.113.2')).text).toMatch(/^HTTP\/1\.1 200 /)
  for (const _ of [1, 2, 3]) expect((await answerTo(null)).text).toMatch(/^HTTP\/1\.1 200 /)
})

test('a closed connection makes room for another one of its network', async () => {
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const { client } = await answerTo('203.0.113.1')
  const [connection] = await accepted
  await answerTo('203.0.113.1')
  const closed = once(connection, 'close')
  client.destroy()
  await closed
  expect((await answerTo('203.0.113.1')).text).toMatch(/^HTTP\/1\.1 200 /)
})

test('knows the network of a connection only when it comes directly from the internet', () => {
  const from = (remoteAddress?: string) => networkOfSocket({ remoteAddress } as Socket)
  expect(from('203.0.113.1')).toBe('203.0.113.1')
  expect(from('::ffff:203.0.113.1')).toBe('203.0.113.1')
  expect([from('2001:db8:1:2::3'), from('2001:db8:1:9::4')]).toEqual(['2001:db8:1::/48', '2001:db8:1::/48'])
  expect([from('127.0.0.1'), from('10.0.0.1'), from('::1'), from(undefined)]).toEqual([null, null, null, null])
  serverState().trustedProxyHops = 1
  expect(from('203.0.113.1')).toBeNull()
  serverState().trustedProxyHops = 0
})
