import 'server-only'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'

const leaveKey = (entryId: number) => keyedHash('waitlist-leave', String(entryId)).slice(0, 40)

/**
 * Returns the two unsubscribe links of a waitlist email. They are derived from the entry, so no secret has to be
 * stored.
 */
export function leaveLinks(entryId: number, appUrl: string): { pageUrl: string; postUrl: string } {
  const query = `entry=${entryId}&key=${leaveKey(entryId)}`
  return { pageUrl: `${appUrl}/remind/stop?${query}`, postUrl: `${appUrl}/api/waitlist/leave?${query}` }
}

/**
 * Whether the key of a link is the one that leaveLinks() made for this entry. The comparison takes the same time for
 * every key.
 */
export function isLeaveKey(entryId: number, key: string): boolean {
  return isSameSecret(key, leaveKey(entryId))
}
