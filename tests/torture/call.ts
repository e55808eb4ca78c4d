import type { Outcome } from './create-recorder'
import type { World } from './start-world'

/** A buyer who waits longer than this goes away, and does not know what the call has done. */
const PATIENCE_MS = 9_000
const KEPT_OF_BODY = 2_500

export type Asked = {
  actor: string
  verb: string
  /** The number of the process; -1 for Stripe's pages. */
  app: number
  about?: Record<string, string | number | boolean>
  url: string
  init?: RequestInit
}

/** Makes one call and records it with its answer, or as unknown. @returns the answer, with its cookies. */
export async function call(
  { recorder }: World,
  asked: Asked,
): Promise<{ status: number; body: string; cookies: string }> {
  const { actor, verb, app, about = {}, url, init } = asked
  const at = Date.now()
  let outcome: Outcome
  let answer = { status: 0, body: '', cookies: '' }
  try {
    const response = await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
    const body = await response.text()
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    answer = { status: response.status, body, cookies: cookies.join('; ') }
    outcome = { status: response.status, body: body.slice(0, KEPT_OF_BODY) }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    outcome = { unknown: cause.slice(0, 120) }
  }
  recorder.add({ kind: 'call', actor, verb, app, about, at, until: Date.now(), outcome })
  return answer
}

/** The init of a call that sends JSON. */
export function json(body: unknown, headers: Record<string, string> = {}, method = 'POST'): RequestInit {
  return { method, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) }
}
