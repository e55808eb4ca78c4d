import 'server-only'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'

const leaveKey = (followerId: number) => keyedHash('follower-leave', String(followerId)).slice(0, 40)

/**
 * The two unsubscribe links in every email to a follower. They are derived from the id, so no secret has to be stored.
 */
export function unfollowLinks(followerId: number, appUrl: string): { pageUrl: string; postUrl: string } {
  const query = `follower=${followerId}&key=${leaveKey(followerId)}`
  return { pageUrl: `${appUrl}/follow/stop?${query}`, postUrl: `${appUrl}/api/follow/leave?${query}` }
}

/**
 * Whether the key of a link is the one that unfollowLinks() made for this follower. The comparison takes the same time
 * for every key.
 */
export function isUnfollowKey(followerId: number, key: string): boolean {
  return isSameSecret(key, leaveKey(followerId))
}
