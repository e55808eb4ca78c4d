// Anyone can ask for the login with any number of different queries. These tests check that such a flood is bounded,
// with a stand-in for Next whose renderings end when the test says so.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findCommonPage } from '@/lib/server/find-common-page.mjs'
import { startSharedCache } from '@/lib/server/start-shared-cache.mjs'

let cache: Awaited<ReturnType<typeof startSharedCache>>
let server: ReturnType<typeof createServer>
let url: string
let rendered = 0
let open: () => void
const gate = new Promise<void>((resolve) => (open = resolve))

async function render(_request: IncomingMessage, response: ServerResponse) {
  rendered += 1
  await gate
  response.writeHead(200, { 'content-type': 'text/plain' }).end('login')
}

beforeAll(async () => {
  const databaseUrl = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
  const commonPage = findCommonPage('no-such-folder', 'no-such-folder')
  cache = await startSharedCache({ handle: render, databaseUrl, commonPage, trustedProxyHops: 1 })
  server = createServer((request, response) => void cache.handle(request, response)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await cache.close()
})

it('renders few logins with different queries for one network, refuses the others with 503, and serves another network', async () => {
  const from = (address: string, target: string) => fetch(url + target, { headers: { 'x-forwarded-for': address } })
  const flood = Array.from({ length: 40 }, (_, at) => from('203.0.113.7', `/login?redirect=/${at}`))
  const refused = await Promise.race(flood)
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).not.toBeNull()
  const other = from('198.51.100.4', '/login?redirect=/create')
  // One network renders three of these pages at a time and waits for fifteen more
  // (lib/server/handle-pages-in-turn.mjs). The fourth rendering is that of the other network.
  while (rendered < 4) await new Promise<void>((resolve) => setImmediate(resolve))
  expect(rendered).toBe(4)
  open()
  expect((await other).status).toBe(200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(18)
  expect(statuses.filter((status) => status === 503)).toHaveLength(22)
})
