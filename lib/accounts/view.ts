import type { Plan } from '@/lib/kernel/plan'
import { accountTexts } from './messages'
import type { User } from '@prisma/client'

/** A user as the owner of the account sees it (docs/contract.md#user). */
export type UserView = {
  id: number
  username: string | null
  firstName: string
  lastName: string
  email: string
  isEmailConfirmed: boolean
  profileImageUrl: string | null
  plan: Plan
  isAdmin: boolean
  isSuspended: boolean
  isVerified: boolean
  createdAt: string
  emailNotifications: boolean
  marketingEmails: boolean
  analytics: boolean
  autoRenewDrops: boolean
  timezone: string
  currency: string
}

/** Whether a suspension is in force. One whose end has passed no longer is (docs/product.md#suspended-accounts). */
export function isStillSuspended(
  { isSuspended, suspendedUntil }: Pick<User, 'isSuspended' | 'suspendedUntil'>,
  now: Date,
): boolean {
  return isSuspended && (suspendedUntil === null || suspendedUntil > now)
}

/** Converts a user for the account's owner. A suspension that has ended at `now` no longer counts. */
export function toUserView(user: User, now: Date): UserView {
  return {
    id: user.id,
    username: user.username,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    isEmailConfirmed: user.emailConfirmedAt !== null,
    profileImageUrl: user.profileImageUrl,
    plan: user.plan,
    isAdmin: user.isAdmin,
    isSuspended: isStillSuspended(user, now),
    isVerified: user.isVerified,
    createdAt: user.createdAt.toISOString(),
    emailNotifications: user.emailNotifications,
    marketingEmails: user.marketingEmails,
    analytics: user.analytics,
    autoRenewDrops: user.autoRenewDrops,
    timezone: user.timezone,
    currency: user.currency,
  }
}

/** The response of the username check (docs/contract.md#calls-about-accounts). */
export type UsernameCheckView = {
  available: boolean
  message: string
  suggestions: string[]
  type: 'success' | 'taken' | 'error'
}

/** Whether the username may change (docs/contract.md#calls-about-accounts). */
export type EligibilityView = { canChange: boolean; reason: string | null; cooldownEnds: string | null }

/** One device on which the account is signed in (docs/product.md#sessions-and-devices). */
export type DeviceView = {
  id: string
  label: string
  ip: string
  signedInAt: string
  lastSeenAt: string
  isThisOne: boolean
}

/**
 * The data about the second factor that the security screen shows. It is on with an authenticator app or with a
 * passkey.
 */
export type TwoFactorView = { isOn: boolean; hasApp: boolean; recoveryCodesLeft: number }

/** A passkey as its owner sees it. */
export type PasskeyView = { id: number; name: string; addedAt: string; lastUsedAt: string | null }

/**
 * Makes the view of whether a user may change the username. `cooldownEnds` is null when nothing has to be waited for.
 */
export function toEligibilityView(cooldownEnds: Date | null): EligibilityView {
  return {
    canChange: cooldownEnds === null,
    reason: cooldownEnds ? accountTexts.usernameCooldown : null,
    cooldownEnds: cooldownEnds?.toISOString() ?? null,
  }
}
