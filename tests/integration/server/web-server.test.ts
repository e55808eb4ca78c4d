import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { findFreePort } from '@/scripts/ports.mjs'
import { startWebServer } from '@/lib/server/start-web-server.mjs'

let seen: (string | undefined)[] = []
let port: number
let server: Awaited<ReturnType<typeof startWebServer>>

beforeAll(async () => {
  port = await findFreePort()
  server = await startWebServer({
    port,
    addresses: ['127.0.0.1'],
    handle: (request, response) => {
      seen.push(request.headers['accept-encoding'] as string | undefined)
      response.writeHead(200).end('{}')
    },
  })
})
afterAll(() => server.close())

const ask = (method: string, path: string) =>
  new Promise<void>((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, br' }
    httpRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve())
    })
      .on('error', reject)
      .end()
  })

it('removes accept-encoding only from a POST to the API, so that Next does not compress the response', async () => {
  seen = []
  await ask('POST', '/api/checkout/create-session')
  await ask('GET', '/api/drops')
  await ask('POST', '/drop/x/buy')
  expect(seen).toEqual([undefined, 'gzip, br', 'gzip, br'])
})

it('answers the connections of one network above the limit with 503', async () => {
  const limited = await findFreePort()
  const handle = (_: unknown, response: { end: (text: string) => void }) => response.end('answer')
  const connectionLimit = { most: 2, networkOf: () => '203.0.113.1' }
  const own = await startWebServer({ port: limited, addresses: ['127.0.0.1'], handle, connectionLimit })
  const clients: Socket[] = []
  const statuses: unknown[] = []
  for (let client = 0; client < 3; client += 1) {
    const socket = connect(limited, '127.0.0.1')
    clients.push(socket)
    // The server may close a refused connection before it has read the request, which resets the connection.
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [text] = (await once(socket, 'data')) as [Buffer]
    statuses.push(/^HTTP\/1\.1 (\d+) /.exec(String(text))?.[1])
  }
  for (const client of clients) client.destroy()
  await own.close()
  expect(statuses).toEqual(['200', '200', '503'])
})
