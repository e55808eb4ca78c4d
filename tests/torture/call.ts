import type { Outcome } from './create-recorder'
import { readWithin } from './read-within'
import type { World } from './start-world'

/** How long a call may take. After this time the caller gives up and does not know what the call has done. */
const PATIENCE_MS = 9_000
const KEPT_OF_BODY = 2_500

export type Asked = {
  actor: string
  verb: string
  /** The number of the process, or -1 for Stripe's pages. */
  app: number
  about?: Record<string, string | number | boolean>
  url: string
  init?: RequestInit
  /** Returns the part of the response body that the history keeps. By default it keeps the beginning. */
  keep?: (body: string) => string
}

/**
 * Makes one call and records it with a part of its response. A call that timed out or whose connection broke is
 * recorded as unknown.
 * @returns the response. Its status is 0 if the outcome is unknown.
 */
export async function call(
  { recorder }: World,
  asked: Asked,
): Promise<{ status: number; body: string; cookies: string }> {
  const { actor, verb, app, about = {}, url, init, keep = (body) => body.slice(0, KEPT_OF_BODY) } = asked
  const at = Date.now()
  let outcome: Outcome
  let answer = { status: 0, body: '', cookies: '' }
  try {
    const { status, headers, body } = await readWithin(PATIENCE_MS, url, { redirect: 'manual', ...init })
    const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    answer = { status, body, cookies: cookies.join('; ') }
    outcome = { status, body: keep(body) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    outcome = { unknown: cause.slice(0, 120) }
  }
  recorder.add({ kind: 'call', actor, verb, app, about, at, until: Date.now(), outcome })
  return answer
}

/** Returns the options of fetch() for a call that sends JSON. */
export function json(body: unknown, headers: Record<string, string> = {}, method = 'POST'): RequestInit {
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}
