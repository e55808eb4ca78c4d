import { z } from 'zod/mini'
import { plans } from '@/lib/kernel/plan'
import type { EligibilityView, UsernameCheckView, UserView } from './view'

/** The schemas of this folder's views, for the OpenAPI document (docs/contract.md#document). */

export const userView = z.object({
  id: z.int(),
  username: z.nullable(z.string()),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  isEmailConfirmed: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
  plan: z.enum(plans),
  isAdmin: z.boolean(),
  isSuspended: z.boolean(),
  isVerified: z.boolean(),
  createdAt: z.iso.datetime(),
  emailNotifications: z.boolean(),
  marketingEmails: z.boolean(),
  analytics: z.boolean(),
  autoRenewDrops: z.boolean(),
  timezone: z.string(),
  currency: z.string(),
}) satisfies z.ZodMiniType<UserView>

export const usernameCheckView = z.object({
  available: z.boolean(),
  message: z.string(),
  suggestions: z.array(z.string()),
  type: z.enum(['success', 'taken', 'error']),
}) satisfies z.ZodMiniType<UsernameCheckView>

export const eligibilityView = z.object({
  canChange: z.boolean(),
  reason: z.nullable(z.string()),
  cooldownEnds: z.nullable(z.iso.datetime()),
}) satisfies z.ZodMiniType<EligibilityView>

/** What a browser needs to ask for a passkey (WebAuthn, PublicKeyCredentialRequestOptionsJSON). */
export const passkeyRequestView = z.object({
  rpId: z.string(),
  challenge: z.string(),
  allowCredentials: z.array(
    z.object({ id: z.string(), type: z.literal('public-key'), transports: z.optional(z.array(z.string())) }),
  ),
  timeout: z.int(),
  userVerification: z.enum(['required', 'preferred']),
})
