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

/** The answer as it was sent. fetch() would decompress it and normalise the address. */
async function get(address: string, headers: Record<string, string> = {}, method = 'GET') {
  const asked = request({ host: '127.0.0.1', port, path: address, headers, method }).end()
  const [answer] = await once(asked, 'response')
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(parts) }
}

it.each(['br', 'gzip'])(
  'a script is sent as compressed by the build, in %s, and may be cached for a year',
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

it('a client that accepts no compression gets the plain file', async () => {
  const { headers, bytes } = await get('/_next/static/chunks/a.js')
  expect(headers['content-encoding']).toBeUndefined()
  expect(bytes.toString()).toBe(script)
})

it.each([
  ['a file that is not there', '/_next/static/chunks/b.js', 'GET'],
  ['a way out of the folder', '/_next/static/../secret', 'GET'],
  ['an encoded way out of it', '/_next/static/%2e%2e/secret', 'GET'],
  ['another method', '/_next/static/chunks/a.js', 'POST'],
  ['any other page', '/drop/low-sun', 'GET'],
])('leaves %s to the application', async (_what, address, method) => {
  const { status, bytes } = await get(address, {}, method)
  expect({ status, url: bytes.toString() }).toEqual({ status: 404, url: address })
})
