import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '../lib/operations/refusal.mjs'
import { reachableHost } from '../lib/server/reachable-host.mjs'

/**
 * How long a page may respond with 503, which means that the database is currently unavailable, before the start fails.
 */
const UNAVAILABLE_MS = 15_000
const PAUSE_MS = 250
/** How long one page may take. The first request also creates the demo, which takes minutes on a very busy machine. */
const PAGE_MS = 240_000

/**
 * Makes the first requests. At the first one, Next runs instrumentation.ts, which also creates the demo. No visitor
 * should have to wait for that or be the first to see that pages fail.
 * @param {number} port
 * @param {string[]} addresses the network addresses on which the server listens
 * @throws {Refusal} when one of the two pages does not respond, responds with a status other than 200, or responds with
 *   503 for 15 seconds
 */
export async function requestFirstPage(port, addresses) {
  const host = reachableHost(addresses)
  // /login responds with 200 even while the platform is paused.
  for (const page of ['/api/health', '/login']) {
    const deadline = performance.now() + UNAVAILABLE_MS
    let answer = await request(`http://${host}:${port}`, page)
    if (answer.status === 503) console.log('… Waiting for the database, which a page could not reach')
    while (answer.status === 503 && performance.now() < deadline) {
      await answer.arrayBuffer()
      await sleep(PAUSE_MS)
      answer = await request(`http://${host}:${port}`, page)
    }
    const text = await answer.text()
    if (answer.status === 200) continue
    const cause = answer.headers.get('content-type')?.includes('json') ? `: ${text.trim()}` : ''
    throw new Refusal(
      `Lastcall started, but ${page} answered ${answer.status}${cause}. The lines above say why; LOG_LEVEL=debug says more.`,
    )
  }
}

/**
 * @param {string} origin
 * @param {string} page
 */
async function request(origin, page) {
  try {
    return await fetch(`${origin}${page}`, { signal: AbortSignal.timeout(PAGE_MS) })
  } catch (error) {
    const cause = error instanceof Error && error.name === 'TimeoutError' ? `for ${PAGE_MS / 1000} s` : 'at all'
    throw new Refusal(`Lastcall started, but ${page} did not respond ${cause}. The lines above may say why.`)
  }
}
