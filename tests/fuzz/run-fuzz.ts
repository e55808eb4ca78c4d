import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { startApp } from '../support/start-app.mjs'
import { randomFrom } from '../support/chance'
import { freshAddress, shopAt } from '../support/e2e'
import { until } from '../support/until'
import { type FuzzRequest, makeRequest } from './make-request'
import { makeSurface } from './make-surface'
import { type FuzzAnswer, sendRequest } from './send-request'

const ADMIN = { email: 'root@lastcall.example', password: 'the-fuzz-administrator' }
const CONCURRENCY = 12
/**
 * A request without a response counts as hanging after this time. It is longer than the limits for a database statement
 * (15 s) and for a call to Stripe (8 s), so that a request that reaches one of these limits can still get a response.
 */
const HANG_MS = 30_000
const SHOWN_LETTERS = 300

/** What no refusal may contain: stack frames, paths of modules, and messages of Postgres or Prisma. */
const LEAK = /\n\s+at (?:async )?[\w.<>]+ \(|PrismaClient|syntax error at or near|relation "|node_modules\//

/**
 * The calls and actions that are left out. A pause would turn other responses into a 503. A logout, an ended device or
 * a deleted account would end an actor's session.
 */
const EXCLUDED = /toggle-platform|\/logout|\/api\/cron\/|deleteAccountAction|endOtherDevices|endDevice/

type Finding = { what: string; request: FuzzRequest; answer: FuzzAnswer }
export type FuzzResult = {
  findings: Finding[]
  statuses: Record<string, number>
  /** The megabytes that the server's objects and buffers occupy, after each tenth of the requests. */
  memoryMb: number[]
}

/**
 * Sends random requests to routes, pages and server actions, as a visitor, four sellers and an administrator. Returns
 * the wrong responses, the number of responses by status, and the memory of the server.
 */
export async function runFuzz({ seed, requests }: { seed: number; requests: number }): Promise<FuzzResult> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-fuzz-'))
  const memoryFile = path.join(folder, 'memory')
  const app = await startApp({
    env: {
      ...{ SEED_DEMO: '0', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
      ...{ LIVE_MEMORY_FILE: memoryFile, NODE_OPTIONS: '--import ./tests/fuzz/report-live-memory.mjs' },
    },
  })
  const database = new Client(app.databaseUrl)
  try {
    await database.connect()
    const shop = shopAt(app.url, app.databaseUrl)
    const surface = await makeSurface(shop, ADMIN, (name) => !EXCLUDED.test(name))
    const random = randomFrom(seed)
    const findings: Finding[] = []
    const statuses: Record<string, number> = {}
    let sent = 0
    const memoryMb: number[] = []
    const tenth = Math.ceil(requests / 10)
    const work = async () => {
      while (sent < requests) {
        sent += 1
        if (sent % tenth === 0) memoryMb.push(await readLiveMemory(app.pid, memoryFile))
        const request = makeRequest(random, surface)
        // Each request comes from another network. Otherwise the rate limits per network would refuse most requests.
        request.headers['x-forwarded-for'] = freshAddress()
        const answer = await sendRequest(app.url, request, HANG_MS)
        const status = 'failure' in answer ? answer.failure : String(answer.status)
        statuses[status] = (statuses[status] ?? 0) + 1
        const what = judge(answer)
        if (what) findings.push({ what, request: shorten(request), answer: shortenAnswer(answer) })
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    return { findings, statuses, memoryMb }
  } finally {
    await database.end()
    await app.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The code of an unexpected error. A server action that fails in this way answers with the status 200. */
const UNEXPECTED = /"code":"INTERNAL"/

/**
 * Returns what is wrong with a response, or null. 501, and 503 with Retry-After, are documented statuses
 * (docs/contract.md#errors). Only responses with a status of 400 or more are searched for leaks, because the API's
 * documentation may mention such errors.
 */
function judge(answer: FuzzAnswer): string | null {
  if ('failure' in answer) return answer.failure
  if (answer.status >= 500 && answer.status !== 501 && !(answer.status === 503 && answer.retryAfter)) {
    return `undocumented status ${answer.status}`
  }
  if (UNEXPECTED.test(answer.text)) return 'failed unexpectedly'
  return answer.status >= 400 && LEAK.test(answer.text) ? 'reveals an internal error' : null
}

const shorten = ({ body, path, ...rest }: FuzzRequest): FuzzRequest => ({
  ...rest,
  path: path.slice(0, SHOWN_LETTERS),
  ...(body === undefined ? {} : { body: body.slice(0, SHOWN_LETTERS) }),
})

const shortenAnswer = (answer: FuzzAnswer): FuzzAnswer =>
  'failure' in answer ? answer : { ...answer, text: answer.text.slice(0, SHOWN_LETTERS) }

/** Requests the server's live memory in megabytes (report-live-memory.mjs). */
async function readLiveMemory(pid: number, file: string): Promise<number> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await until('figure of the live memory', async () => existsSync(file))
  return Number(readFileSync(file, 'utf8'))
}
