import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import type { Database, Db } from '@/lib/infra/db'
import type { UserActor } from '@/lib/kernel/actor'
import { sha256 } from '@/lib/infra/crypto'
import { deviceLabel } from '@/lib/infra/user-agent'
import type { Plan } from '@/lib/kernel/plan'
import { USERNAME_PATTERN, usernameCooldownEnds } from './rules'
import { type DeviceView, type EligibilityView, toEligibilityView, type TwoFactorView } from './view'

/**
 * Whether the account `u` is suspended at this moment: the one home of the condition in SQL. A suspension ends by itself when
 * its time has passed, though nobody has lifted it; `isStillSuspended` says the same of a row that was read.
 */
export const SUSPENDED = `(u."isSuspended" AND (u."suspendedUntil" IS NULL OR u."suspendedUntil" > now()))`

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
 * Who a session secret belongs to, as the database knows them now; null once it has ended. A suspension with an end
 * is over by itself (DECISIONS 30, 34).
 */
export async function findSessionActor(database: Database, secret: string): Promise<UserActor | null> {
  const [row] = await database.sql<SessionRow>(
    'session-actor',
    `SELECT s."id" AS "sessionId", u."id" AS "userId", u."username", u."plan", u."isAdmin",
            ${SUSPENDED} AS "isSuspended",
            EXISTS (SELECT FROM "TotpCredential" t WHERE t."userId" = u."id" AND t."confirmedAt" IS NOT NULL)
              AS "hasTwoFactor", s."stepUpAt" AS "steppedUpAt",
            s."lastSeenAt" > now() - interval '10 minutes' AS "isSeenLately"
       FROM "Session" s JOIN "User" u ON u."id" = s."userId"
      WHERE s."id" = :sessionId AND s."revokedAt" IS NULL AND s."expiresAt" > now() AND u."deletedAt" IS NULL`,
    { sessionId: sha256(secret) },
  )
  if (!row) return null
  const { isSeenLately, ...actor } = row
  // For "Your devices"; nobody waits for it, and a missed one is made up for by the next.
  if (!isSeenLately) void touchSession(database, actor.sessionId).catch(() => undefined)
  return { kind: 'user', ...actor }
}

/** By address or by username, whichever was typed; a leading @ is not part of a name (SPEC §5). */
export function findUserByIdentifier(db: Db, identifier: string): Promise<User | null> {
  const typed = identifier.trim().toLowerCase()
  const where = typed.slice(1).includes('@') ? { email: typed } : { username: typed.replace(/^@/, '') }
  return db.user.findFirst({ where: { ...where, deletedAt: null } })
}

export function getUser(db: Db, userId: number): Promise<User> {
  return db.user.findUniqueOrThrow({ where: { id: userId } })
}

/** Those of the names that somebody has, or had within 90 days (DECISIONS 36). */
export async function listTakenUsernames(db: Db, usernames: readonly string[]): Promise<Set<string>> {
  const names = [...usernames]
  const rows = await db.$queryRaw<{ username: string }[]>`
    SELECT "username" FROM "User" WHERE "username" = ANY(${names})
    UNION SELECT "username" FROM "ReservedUsername" WHERE "username" = ANY(${names}) AND "reservedUntil" > now()`
  return new Set(rows.map((row) => row.username))
}

export type ProfileUser = {
  id: number
  username: string
  firstName: string
  plan: Plan
  isVerified: boolean
  profileImageUrl: string | null
  /** The database's time of this answer. */
  now: Date
}

/**
 * Whose public profile a name leads to: in any spelling, with or without the @, and for 30 days under the name given up
 * (DECISIONS 36). Nobody's for suspended and deleted accounts. Never throws for anything a link can hold.
 */
export async function findProfileUser({ sql }: Database, typed: string): Promise<ProfileUser | null> {
  const username = typed.replace(/^@/, '').toLowerCase()
  if (!USERNAME_PATTERN.test(username)) return null
  const [row] = await sql<ProfileUser>(
    'profile-user',
    `SELECT u."id", u."username", u."firstName", u."plan", u."isVerified", u."profileImageUrl", now() AS "now"
       FROM "User" u
      WHERE (u."username" = :username OR u."id" = (SELECT r."userId" FROM "ReservedUsername" r
                                             WHERE r."username" = :username AND r."redirectsUntil" > now()))
        AND u."username" IS NOT NULL AND u."deletedAt" IS NULL
        AND NOT ${SUSPENDED}
      ORDER BY (u."username" = :username) DESC LIMIT 1`,
    { username },
  )
  return row ?? null
}

/** Whether the username may change now, and if not, why and until when (SPEC §3). */
export async function getUsernameEligibility(ctx: Context<UserActor>): Promise<EligibilityView> {
  const { usernameChangedAt } = await getUser(ctx.db, ctx.actor.userId)
  return toEligibilityView(usernameCooldownEnds(usernameChangedAt, ctx.clock.now()))
}

/** Where the account is signed in now: this device, then the newest first. */
export async function listDevices(ctx: Context<UserActor>): Promise<DeviceView[]> {
  const { userId, sessionId } = ctx.actor
  const sessions = await ctx.db.session.findMany({
    where: { userId, revokedAt: null, expiresAt: { gt: ctx.clock.now() } },
    orderBy: { lastSeenAt: 'desc' },
    take: 50,
  })
  const devices = sessions.map((session) => ({
    id: session.id,
    label: deviceLabel(session.userAgent),
    ip: session.ip,
    signedInAt: session.createdAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    isThisOne: session.id === sessionId,
  }))
  return devices.toSorted((one, other) => Number(other.isThisOne) - Number(one.isThisOne))
}

export async function getTwoFactor(ctx: Context<UserActor>): Promise<TwoFactorView> {
  const where = { userId: ctx.actor.userId, usedAt: null }
  return { isOn: ctx.actor.hasTwoFactor, recoveryCodesLeft: await ctx.db.recoveryCode.count({ where }) }
}

/** The address an account has asked to change to and not confirmed yet. */
export async function findPendingEmail(ctx: Context<UserActor>): Promise<string | null> {
  const token = await ctx.db.token.findFirst({
    where: { userId: ctx.actor.userId, purpose: 'emailChange', usedAt: null, expiresAt: { gt: ctx.clock.now() } },
    orderBy: { id: 'desc' },
  })
  return token?.email ?? null
}

/** Whose name this was until less than 30 days ago: their name of today (DECISIONS 36). */
export async function findRenamedUsername({ sql }: Database, oldUsername: string): Promise<string | null> {
  if (!USERNAME_PATTERN.test(oldUsername.toLowerCase())) return null
  const [row] = await sql<{ username: string }>(
    'renamed-username',
    `SELECT u."username" FROM "ReservedUsername" r JOIN "User" u ON u."id" = r."userId"
      WHERE r."username" = lower(:oldUsername) AND r."redirectsUntil" > now() AND u."username" IS NOT NULL
        AND u."username" <> r."username" AND u."deletedAt" IS NULL`,
    { oldUsername },
  )
  return row?.username ?? null
}

/** Notes that a session is in use. */
async function touchSession({ sql }: Database, sessionId: string): Promise<void> {
  await sql('touch-session', 'UPDATE "Session" SET "lastSeenAt" = now() WHERE "id" = :sessionId', { sessionId })
}
