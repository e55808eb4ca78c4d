import 'server-only'
import { env } from './env'

/** Long enough for a response, and short enough for a seller who is waiting after sending the form. */
const TIMEOUT_MS = 4_000

export type OutsideOpinion = 'fine' | { flagged: string[] } | 'unreachable'

/** Whether an outside moderator is configured. */
export function hasOutsideModerator(): boolean {
  return env().moderationKey !== null
}

/**
 * Asks an outside moderator when MODERATION_API_KEY is set: `POST { input }`, answered with `{ results: [{ flagged,
 * categories }] }`.
 * @returns null without a key. Every failure is 'unreachable', and the caller decides what that means.
 */
export async function askOutsideModerator(texts: string[]): Promise<OutsideOpinion | null> {
  const { moderationKey, moderationUrl } = env()
  if (!moderationKey) return null
  try {
    const response = await fetch(moderationUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${moderationKey}` },
      body: JSON.stringify({ input: texts }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    })
    if (!response.ok) return 'unreachable'
    return read(await response.json())
  } catch {
    return 'unreachable'
  }
}

function read(answer: unknown): OutsideOpinion {
  const results = (answer as { results?: unknown } | null)?.results
  if (!Array.isArray(results) || results.length === 0) return 'unreachable'
  const flagged = new Set<string>()
  for (const result of results as { flagged?: unknown; categories?: Record<string, unknown> }[]) {
    if (result?.flagged !== true) continue
    const names = Object.entries(result.categories ?? {}).filter(([, isFlagged]) => isFlagged === true)
    for (const [name] of names) flagged.add(name.slice(0, 40))
    if (names.length === 0) flagged.add('other')
  }
  return flagged.size > 0 ? { flagged: [...flagged] } : 'fine'
}
