import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '@/scripts/ports.mjs'
import { requestFirstPage } from '@/scripts/request-first-page.mjs'
import { startDatabaseProxy } from '@/tests/support/start-database-proxy'
import { runNode } from '@/tests/support/run-node'
import { inDatabase, scratchDatabases } from '@/tests/support/scratch-databases'
import { startPooler } from '@/tests/support/start-pooler.mjs'
import { startTlsProxy } from '@/tests/support/start-tls-proxy'

// These tests start scripts/serve.mjs and `next start` with databases that operators may configure. Neither migrates or
// builds.
const createDatabase = scratchDatabases()
const own = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const dataDir = mkdtempSync(path.join(tmpdir(), 'lastcall-serve-'))
const NEXT_START = ['node_modules/next/dist/bin/next', 'start']
const started: ChildProcess[] = []

beforeAll(async () => {
  const { code, stderr } = await runNode(['scripts/build.mjs'], { NODE_ENV: 'production' })
  expect([code, stderr]).toEqual([0, expect.any(String)])
}, 15 * 60_000)

afterAll(async () => {
  for (const child of started) {
    const ended = new Promise((resolve) => child.once('close', resolve))
    if (child.exitCode === null && child.kill('SIGTERM')) await ended
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 })
}, 120_000)

/**
 * Starts a server on this database. Resolves when `onOutput` accepts the server's output so far, or when the server has
 * ended. `code` is null while the server runs.
 */
async function start(words: string[], databaseUrl: string, onOutput: (all: string) => boolean) {
  const port = await findFreePort()
  const child = spawn(process.execPath, words, {
    env: {
      PATH: process.env.PATH ?? '',
      __NEXT_PROCESSED_ENV: 'true',
      NODE_ENV: 'production',
      PORT: String(port),
      APP_URL: `http://localhost:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      AUTH_SECRET: 'integration-tests-auth-secret-0123456789',
      CRON_SECRET: 'integration-tests-cron-secret-0123456789',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let [stdout, stderr] = ['', '']
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const look = () => onOutput(stdout) && resolve({ code: null, stdout, stderr })
    child.stdout.setEncoding('utf8').on('data', (text: string) => ((stdout += text), look()))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

const serve = (databaseUrl: string, onOutput = (all: string) => all.includes('is ready')) =>
  start(['scripts/serve.mjs'], databaseUrl, onOutput)

it('starts on a database with sslmode=require and a self-signed certificate', async () => {
  const tls = await startTlsProxy(own)
  expect(await serve(tls.address('sslmode=require'))).toMatchObject({
    code: null,
    stdout: expect.stringMatching(/^Lastcall is ready/m) as string,
    stderr: '',
  })
  await tls.stop()
}, 120_000)

it('waits for a database that cannot be reached yet, and names it', async () => {
  const proxy = await startDatabaseProxy(own)
  proxy.cut()
  const served = await serve(proxy.databaseUrl, (all) => {
    if (all.includes('Waiting for the database at')) proxy.mend()
    return all.includes('is ready')
  })
  expect(served).toMatchObject({
    code: null,
    stdout: expect.stringMatching(/Waiting for the database at .* \(DATABASE_URL\): [\s\S]*is ready/) as string,
  })
  proxy.stop()
}, 120_000)

it('refuses a database with a wrong password in one line that says what to do', async () => {
  const wrong = new URL(own)
  wrong.password = 'wrong'
  expect(await serve(wrong.href)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^DATABASE_URL: the database at .* the user or the password: correct them.*\n$/,
    ) as string,
  })
}, 120_000)

it.each([
  [
    'scripts/serve.mjs',
    ['scripts/serve.mjs'],
    /^The database at .* lacks (?:a migration|\d+ migrations): run `node prisma\/migrate\.mjs` first\.\n$/,
  ],
  [
    '`next start`',
    NEXT_START,
    /^The database is not migrated to this version .*: run "npm run migrate" and start again\.\n$/,
  ],
])(
  'a database without migrations ends %s with one line, and stays empty',
  async (_name, words, line) => {
    const url = await createDatabase(words.length > 1 ? 'empty_next' : 'empty_serve')
    const ended = await start(words, url, () => false)
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(line) as string })
    const tables = `SELECT FROM pg_tables WHERE schemaname = 'public'`
    expect((await inDatabase(url, (client) => client.query(tables))).rowCount).toBe(0)
  },
  120_000,
)

it('a wrong variable ends `next start` with one line and no stack', async () => {
  const ended = await start(NEXT_START, 'postgresql://a:b@db/c?sslmode=perhaps', () => false)
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL has sslmode=perhaps: give one of .*\n$/) as string,
  })
}, 120_000)

describe('a pooler in transaction mode without DIRECT_DATABASE_URL', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>
  beforeAll(async () => {
    pooler = await startPooler(own)
  })
  afterAll(() => pooler.stop())

  it.each([
    [
      'scripts/serve.mjs',
      ['scripts/serve.mjs'],
      /^DATABASE_URL leads to a connection pooler.*set DIRECT_DATABASE_URL .*\n$/,
    ],
    ['`next start`', NEXT_START, /^DATABASE_URL leads to a connection pooler.*set DIRECT_DATABASE_URL .*\n$/],
  ])(
    'ends %s with one line',
    async (_name, words, line) => {
      const ended = await start(words, pooler.databaseUrl, () => false)
      expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(line) as string })
    },
    120_000,
  )
})

it('an application whose health check succeeds but whose pages fail is not ready', async () => {
  const failing = createServer((request, response) => {
    response.statusCode = request.url === '/login' ? 500 : 200
    response.end()
  })
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
  const { port } = failing.address() as AddressInfo
  await expect(requestFirstPage(port, ['127.0.0.1'])).rejects.toThrow(/\/login answered 500/)
  await new Promise((resolve) => failing.close(resolve))
})
