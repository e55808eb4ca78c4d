import type { Plan } from '@/lib/kernel/plan'
import { accountTexts } from './messages'
import type { User } from '@prisma/client'

/** SPEC §3 User, as its owner sees it. */
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

/** A suspension whose end has passed is over by itself (DECISIONS 34). */
export function isStillSuspended(
  { isSuspended, suspendedUntil }: Pick<User, 'isSuspended' | 'suspendedUntil'>,
  now: Date,
): boolean {
  return isSuspended && (suspendedUntil === null || suspendedUntil > now)
}

/** @param now decides whether a suspension with an end is over. */
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

/** SPEC §3, Username check response. */
export type UsernameCheckView = {
  available: boolean
  message: string
  suggestions: string[]
  type: 'success' | 'taken' | 'error'
}

/** SPEC §3, Username eligibility result. */
export type EligibilityView = { canChange: boolean; reason: string | null; cooldownEnds: string | null }

/** One place an account is signed in ("Your devices", DECISIONS 30). */
export type DeviceView = {
  id: string
  label: string
  ip: string
  signedInAt: string
  lastSeenAt: string
  isThisOne: boolean
}

/** What the security screen needs to know. */
export type TwoFactorView = { isOn: boolean; recoveryCodesLeft: number }

export function toEligibilityView(cooldownEnds: Date | null): EligibilityView {
  return {
    canChange: cooldownEnds === null,
    reason: cooldownEnds ? accountTexts.usernameCooldown : null,
    cooldownEnds: cooldownEnds?.toISOString() ?? null,
  }
}
