import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestFirstPage } from '@/scripts/request-first-page.mjs'

let server: Server | undefined

/** Starts a server that responds with these statuses, one after the other, and then with the last one forever. */
async function serve(statuses: number[]): Promise<{ port: number; paths: string[] }> {
  const paths: string[] = []
  server = createServer((request, response) => {
    paths.push(String(request.url))
    response.writeHead(statuses[Math.min(paths.length, statuses.length) - 1] ?? 200).end()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server?.once('listening', resolve))
  return { port: (server.address() as AddressInfo).port, paths }
}

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
})

it('waits while the database is briefly unavailable', async () => {
  const { port, paths } = await serve([503, 503, 200])
  await requestFirstPage(port, ['127.0.0.1'])
  expect(paths).toEqual(['/api/health', '/api/health', '/api/health', '/login'])
})

it('fails right away when a page fails', async () => {
  const { port, paths } = await serve([200, 500])
  await expect(requestFirstPage(port, ['127.0.0.1'])).rejects.toThrow('/login answered 500')
  expect(paths).toEqual(['/api/health', '/login'])
})
