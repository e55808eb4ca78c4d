import { request as httpRequest } from 'node:http'
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
