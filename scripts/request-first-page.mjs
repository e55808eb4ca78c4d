import { Refusal } from '../lib/operations/refusal.mjs'
import { hostToAsk } from '../lib/server/host-to-ask.mjs'

/**
 * Makes the first requests. Next runs the application's own start (instrumentation.ts, with the demo's data) with the first
 * one, and no visitor should have to wait for that, or be the first to find out that pages fail.
 * @param {number} port
 * @param {string[]} addresses
 * @throws {Refusal} when the database or a page does not answer
 */
export async function requestFirstPage(port, addresses) {
  const host = hostToAsk(addresses)
  // The login is open while the platform is paused, too.
  for (const page of ['/api/health', '/login']) {
    const answer = await fetch(`http://${host}:${port}${page}`)
    const text = await answer.text()
    if (answer.status === 200) continue
    const cause = answer.headers.get('content-type')?.includes('json') ? `: ${text.trim()}` : ''
    throw new Refusal(
      `Lastcall started, but ${page} answered ${answer.status}${cause}. The lines above say why; LOG_LEVEL=debug says more.`,
    )
  }
}
