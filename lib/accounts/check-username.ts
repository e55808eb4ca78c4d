import 'server-only'
import type { Database } from '@/lib/infra/db'
import { accountTexts } from './messages'
import { listTakenUsernames } from './queries'
import { hasOpenEnd, isReservedUsername, usernameCandidates, USERNAME_PATTERN } from './rules'
import type { UsernameCheckView } from './view'

/** At most three suggestions are shown (docs/product.md#usernames). */
const SUGGESTIONS = 3

/**
 * Checks whether a username is well-formed and free. For a taken username, the result has up to three similar free
 * usernames. A reserved name is reported as taken, without suggestions.
 */
export async function checkUsername({ db }: Database, typed: string): Promise<UsernameCheckView> {
  const username = typed.trim().toLowerCase()
  const problem = problemOf(username)
  if (problem) return { available: false, message: problem, suggestions: [], type: 'error' }
  const candidates = usernameCandidates(username, Math.random)
  const taken = await listTakenUsernames(db, [username, ...candidates])
  if (!taken.has(username) && !isReservedUsername(username)) {
    return { available: true, message: accountTexts.usernameAvailable, suggestions: [], type: 'success' }
  }
  const free = candidates.filter((candidate) => !taken.has(candidate))
  return {
    available: false,
    message: accountTexts.usernameTaken,
    suggestions: free.slice(0, SUGGESTIONS),
    type: 'taken',
  }
}

function problemOf(username: string): string | null {
  if (username.startsWith('_')) return accountTexts.usernameStart
  if (!USERNAME_PATTERN.test(username)) return accountTexts.usernameShape
  return hasOpenEnd(username) ? accountTexts.usernameEnd : null
}
