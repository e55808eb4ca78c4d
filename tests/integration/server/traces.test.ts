import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startApp } from '@/tests/support/start-app.mjs'

// OpenTelemetry is optional. If a collector is configured, the spans are sent to it. Otherwise the SDK of OpenTelemetry
// is not even loaded.
const START_MS = 6 * 60_000
const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-traces-'))
const database = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const shared = { DATABASE_URL: database, AUTH_SECRET: 'a'.repeat(40), CRON_SECRET: 'c'.repeat(40), SEED_DEMO: '0' }

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } }
type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: { name: string; traceId: string; attributes: Attribute[] }[] }[]
  }[]
}

const received: { path: string; body: Export }[] = []
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()) as Export })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

beforeAll(async () => {
  collector.listen(0, '127.0.0.1')
  await new Promise((resolve) => collector.once('listening', resolve))
})

afterAll(() => {
  collector.close()
  rmSync(folder, { recursive: true, force: true })
})

/**
 * Starts a server, sends four requests and stops it. Returns the files of OpenTelemetry's SDK that the server had
 * loaded. The files of OpenTelemetry's API do not count, because they are a part of Next.
 */
async function run(env: Record<string, string>): Promise<string[]> {
  const hook = path.join(folder, 'hook.cjs')
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(folder)} + '/' + process.pid,
       Object.keys(require.cache).filter((name) => /@opentelemetry.(sdk|exporter|resources)/.test(name)).join('\\n')))`,
  )
  const app = await startApp({ env: { ...shared, ...env, NODE_OPTIONS: `--require ${hook}` } })
  try {
    expect((await fetch(`${app.url}/api/drop/nobody`)).status).toBe(404)
    expect((await fetch(`${app.url}/login`)).status).toBe(200)
    expect((await fetch(`${app.url}/reset-password?token=a-secret`)).status).toBe(200)
    expect((await fetch(`${app.url}/o/${'a-secret'.repeat(5)}`)).status).toBe(404)
  } finally {
    await app.stop()
  }
  return readFileSync(path.join(folder, String(app.pid)), 'utf8')
    .split('\n')
    .filter(Boolean)
}

it(
  'sends the spans of requests to the configured collector, and the last ones while the server stops',
  async () => {
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    expect(await run({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).not.toEqual([])
    expect(new Set(received.map(({ path: place }) => place))).toEqual(new Set(['/v1/traces']))
    const resources = received.flatMap(({ body }) => body.resourceSpans)
    const names = resources.map(({ resource }) => resource.attributes.find(({ key }) => key === 'service.name')?.value)
    expect(new Set(names.map((value) => value?.stringValue))).toEqual(new Set(['lastcall']))
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    expect(spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['GET /api/drop/[identifier]', 'GET /login', 'GET /reset-password', 'GET /replaced']),
    )
    // Some URLs contain a secret that opens an order or resets a password, so no span may contain it.
    expect(JSON.stringify(received)).not.toContain('a-secret')
  },
  START_MS,
)

it(
  'without a collector, loads no file of OpenTelemetry’s SDK and sends no spans',
  async () => {
    received.length = 0
    expect(await run({})).toEqual([])
    expect(received).toEqual([])
  },
  START_MS,
)
