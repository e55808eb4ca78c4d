import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressStaticFiles } from '@/lib/server/compress-static-files.mjs'
import { serveStaticFiles } from '@/lib/server/serve-static-files.mjs'

const buildDir = mkdtempSync(path.join(tmpdir(), 'lastcall-static-'))
const script = 'export const words = "a unit is held while its buyer pays";\n'.repeat(50)
const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync }
const server = createServer()
let port = 0

beforeAll(async () => {
  mkdirSync(path.join(buildDir, 'static', 'chunks'), { recursive: true })
  writeFileSync(path.join(buildDir, 'static', 'chunks', 'a.js'), script)
  writeFileSync(path.join(buildDir, 'secret'), 'nobody reads this')
  await compressStaticFiles(buildDir)
  server.on(
    'request',
    serveStaticFiles(buildDir, (asked, answer) => answer.writeHead(404).end(asked.url)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})

afterAll(() => {
  server.close()
  rmSync(buildDir, { recursive: true, force: true })
})

/** Returns the response exactly as it was sent. fetch() would decompress the body and normalize the URL. */
async function get(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const asked = request({ host: '127.0.0.1', port, path: address, headers, method }).end()
  const [answer] = await once(asked, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }
}

it.each(['br', 'gzip'])(
  'a script is sent as the build has compressed it with %s, and may be cached for a year',
  async (encoding) => {
    const { headers, bytes } = await get('/_next/static/chunks/a.js', { 'accept-encoding': encoding })
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'cache-control': 'public,max-age=31536000,immutable',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    expect(bytes.byteLength).toBeLessThan(script.length / 4)
    expect(decoders[encoding]!(bytes).toString()).toBe(script)
  },
)

it('a client that refuses an encoding with q=0 does not get it', async () => {
  const refused = await get('/_next/static/chunks/a.js', { 'accept-encoding': 'br;q=0, gzip;q=0' })
  expect(refused.headers['content-encoding']).toBeUndefined()
  expect(refused.bytes.toString()).toBe(script)
  const gzip = await get('/_next/static/chunks/a.js', { 'accept-encoding': 'br;q=0, gzip;q=0.5' })
  expect(gzip.headers['content-encoding']).toBe('gzip')
})

it('a client that accepts no compression gets the plain file', async () => {
  const { headers, bytes } = await get('/_next/static/chunks/a.js')
  expect(headers['content-encoding']).toBeUndefined()
  expect(bytes.toString()).toBe(script)
})

it.each([
  ['a missing file', '/_next/static/chunks/b.js', 'GET'],
  ['a path that leaves the folder', '/_next/static/../secret', 'GET'],
  ['an encoded path that leaves the folder', '/_next/static/%2e%2e/secret', 'GET'],
  ['a POST to a static file', '/_next/static/chunks/a.js', 'POST'],
  ['the path of a page', '/drop/low-sun', 'GET'],
])('leaves %s to the application', async (_what, address, method) => {
  const { status, bytes } = await get(address, {}, method)
  expect({ status, url: bytes.toString() }).toEqual({ status: 404, url: address })
})
