import 'server-only'
import { sha256 } from '@/lib/infra/crypto'
import type { Database } from '@/lib/infra/db'
import type { UserActor } from '@/lib/kernel/actor'
import type { Plan } from '@/lib/kernel/plan'
import { HAS_TWO_FACTOR, SUSPENDED } from './queries'

type SessionRow = {
  sessionId: string
  userId: number
  username: string | null
  plan: Plan
  isAdmin: boolean
  isSuspended: boolean
  hasTwoFactor: boolean
  steppedUpAt: Date | null
  isSeenLately: boolean
}

/**
 * Finds the user of a session secret, with the current plan, role and suspension from the database. A suspension whose
 * end has passed no longer counts (docs/product.md#sessions-and-devices, docs/product.md#suspended-accounts).
 * @returns null when the session has ended, when there is no such session, and when the account was deleted.
 */
export async function findSessionActor(database: Database, secret: string): Promise<UserActor | null> {
  const [row] = await database.sql<SessionRow>(
    'session-actor',
    `SELECT s."id" AS "sessionId", u."id" AS "userId", u."username", u."plan", u."isAdmin",
            ${SUSPENDED} AS "isSuspended",
            ${HAS_TWO_FACTOR} AS "hasTwoFactor", s."stepUpAt" AS "steppedUpAt",
            s."lastSeenAt" > now() - interval '10 minutes' AS "isSeenLately"
       FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."id" = :sessionId AND s."revokedAt" IS NULL AND s."expiresAt" > now() AND u."deletedAt" IS NULL`,
    { sessionId: sha256(secret) },
  )
  if (!row) return null
  const { isSeenLately, ...actor } = row
  // Updates the time shown in "Your devices". The request does not wait for this update. If the update fails, the next
  // request repeats it.
  if (!isSeenLately) void touchSession(database, actor.sessionId).catch(() => undefined)
  return { kind: 'user', ...actor }
}

/** Stores the current time as the time when the session was last used. */
async function touchSession({ sql }: Database, sessionId: string): Promise<void> {
  await sql('touch-session', 'UPDATE "Session" SET "lastSeenAt" = now() WHERE "id" = :sessionId', { sessionId })
}
