import 'server-only'
import type { Db } from '@/lib/infra/db'
import type { AppealView, SuspensionView } from './view'

const MAX_SHOWN = 100

/** What waits for an answer, the oldest first. */
export async function listOpenAppeals(db: Db): Promise<AppealView[]> {
  const appeals = await db.appeal.findMany({
    where: { state: 'open' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { user: { include: { _count: { select: { strikes: true } } } } },
    take: MAX_SHOWN,
  })
  return appeals.map(({ id, text, createdAt, user }) => ({
    id,
    text,
    createdAt: createdAt.toISOString(),
    userId: user.id,
    username: user.username,
    email: user.email,
    reason: user.suspensionReason,
    until: user.suspendedUntil?.toISOString() ?? null,
    strikes: user._count.strikes,
  }))
}

/** What a suspended seller is told; null when the account is open. */
export async function findSuspension(db: Db, userId: number, now: Date): Promise<SuspensionView | null> {
  const user = await db.user.findFirst({
    where: { id: userId, isSuspended: true, OR: [{ suspendedUntil: null }, { suspendedUntil: { gt: now } }] },
    include: { appeals: { where: { state: 'open' }, take: 1 } },
  })
  if (!user) return null
  const until = user.suspendedUntil?.toISOString() ?? null
  return { reason: user.suspensionReason, until, hasOpenAppeal: user.appeals.length > 0 }
}
