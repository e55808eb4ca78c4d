/** How many confirmed followers a seller has, and how many of them confirmed in the last 30 days. */
export type FollowerCountView = { total: number; lastMonth: number }

/** A confirmed follower with the record of the consent, in the seller's exports. */
export type FollowerView = { email: string; confirmedAt: string; page: string; agreedTo: string }
