import 'server-only'

/** The kinds of emails that followers get about a drop. Each is sent at most once (docs/product.md#followers). */
export const noticeKinds = ['scheduled', 'live', 'lastHour', 'canceled'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Returns the dedupe key of an email to a follower about a drop. */
export function noticeKey<Kind extends NoticeKind>(kind: Kind, dropId: number, followerId: number) {
  return `follow-${kind}:${dropId}:${followerId}` as const
}

/** SQL: the key that noticeKey() returns, given SQL expressions for the ids of the drop and of the follower. */
export const noticeKeySql = (kind: NoticeKind, dropId: string, followerId: string): string =>
  `'follow-${kind}:' || ${dropId} || ':' || ${followerId}`

/** SQL: the follower's id in a key that noticeKey() returned, as text. */
export const followerOfKeySql = `split_part("dedupeKey", ':', 3)`
