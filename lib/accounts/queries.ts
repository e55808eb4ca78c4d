import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import type { Database, Db } from '@/lib/infra/db'
import type { UserActor } from '@/lib/kernel/actor'
import { deviceLabel } from '@/lib/infra/device-label'
import type { Plan } from '@/lib/kernel/plan'
import { USERNAME_PATTERN, usernameCooldownEnds } from './rules'
import { type DeviceView, type EligibilityView, type PasskeyView, toEligibilityView, type TwoFactorView } from './view'

/**
 * The SQL condition for an account `u` that is suspended now. Every statement must use this condition, because a
 * suspension ends by itself when its time has passed, even if nobody has lifted it. `isStillSuspended` is the same rule
 * for a row that was read.
 */
export const SUSPENDED = `(u."isSuspended" AND (u."suspendedUntil" IS NULL OR u."suspendedUntil" > now()))`

/** The SQL condition for an account `u` that has a second factor. hasTwoFactor() is the same rule. */
export const HAS_TWO_FACTOR = `(EXISTS (SELECT FROM "TotpCredential" t WHERE t."userId" = u."id" AND t."confirmedAt" IS NOT NULL)
  OR EXISTS (SELECT FROM "Passkey" p WHERE p."userId" = u."id"))`

/** Returns the email addresses of all administrators, for emails about tasks that only they can do. */
export async function listAdministratorEmails(db: Db): Promise<string[]> {
  const administrators = await db.user.findMany({
    where: { isAdmin: true, deletedAt: null },
    select: { email: true },
    orderBy: { id: 'asc' },
  })
  return administrators.map(({ email }) => email)
}

/** Finds a user by the typed email address or username. A leading @ is ignored (docs/product.md#signing-in). */
export function findUserByIdentifier(db: Db, identifier: string): Promise<User | null> {
  const typed = identifier.trim().toLowerCase()
  const where = typed.slice(1).includes('@') ? { email: typed } : { username: typed.replace(/^@/, '') }
  return db.user.findFirst({ where: { ...where, deletedAt: null } })
}

/**
 * Returns a user, even one whose account is closed.
 * @throws Prisma's error P2025 when there is no such user
 */
export function getUser(db: Db, userId: number): Promise<User> {
  return db.user.findUniqueOrThrow({ where: { id: userId } })
}

/**
 * Returns those of the names that are in use, or reserved for 90 days after use (docs/product.md#changing-a-username).
 */
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
  /** The database's clock when the row was read. */
  now: Date
}

/**
 * Finds the seller whose public profile a name leads to. The name may be in upper or lower case, with or without the @,
 * and for 30 days it may be a former username (docs/product.md#changing-a-username). A name that is not a username is
 * not an error.
 * @returns null for unknown names, and for suspended and deleted accounts.
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

/**
 * Returns whether the username may change now, and if not, why and until when (docs/product.md#changing-a-username).
 */
export async function getUsernameEligibility(ctx: Context<UserActor>): Promise<EligibilityView> {
  const { usernameChangedAt } = await getUser(ctx.db, ctx.actor.userId)
  return toEligibilityView(usernameCooldownEnds(usernameChangedAt, ctx.clock.now()))
}

/** Returns the devices on which the account is signed in, at most 50. This device comes first, then the most recent. */
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

/** Returns the state of the second factor for the owner's account page. Recovery codes that were used do not count. */
export async function getTwoFactor(ctx: Context<UserActor>): Promise<TwoFactorView> {
  const { userId, hasTwoFactor: isOn } = ctx.actor
  const { hasApp } = await getSecondFactors(ctx, userId)
  return { isOn, hasApp, recoveryCodesLeft: await ctx.db.recoveryCode.count({ where: { userId, usedAt: null } }) }
}

/** Returns the user's own passkeys, the oldest first. */
export async function listPasskeys(ctx: Context<UserActor>): Promise<PasskeyView[]> {
  const passkeys = await ctx.db.passkey.findMany({ where: { userId: ctx.actor.userId }, orderBy: { id: 'asc' } })
  return passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    addedAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/** Whether an account has an authenticator app, and whether it has passkeys. */
export async function getSecondFactors(
  ctx: Context,
  userId: number,
): Promise<{ hasApp: boolean; hasPasskey: boolean }> {
  const apps = await ctx.db.totpCredential.count({ where: { userId, confirmedAt: { not: null } } })
  const passkeys = await ctx.db.passkey.count({ where: { userId } })
  return { hasApp: apps > 0, hasPasskey: passkeys > 0 }
}

/** Whether an account has a second factor, which is an authenticator app or a passkey. */
export async function hasTwoFactor(ctx: Context, userId: number): Promise<boolean> {
  const { hasApp, hasPasskey } = await getSecondFactors(ctx, userId)
  return hasApp || hasPasskey
}

/** Returns the new email address that the user has requested but not confirmed yet. */
export async function findPendingEmail(ctx: Context<UserActor>): Promise<string | null> {
  const token = await ctx.db.token.findFirst({
    where: { userId: ctx.actor.userId, purpose: 'emailChange', usedAt: null, expiresAt: { gt: ctx.clock.now() } },
    orderBy: { id: 'desc' },
  })
  return token?.email ?? null
}
