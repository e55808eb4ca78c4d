import { z } from 'zod/mini'
import { accountTexts } from './messages'
import { CURRENCIES, isReservedUsername, RESET_PASSWORD_MIN, TIMEZONES, USERNAME_PATTERN } from './rules'

/** SPEC §9: 3–20 characters, letters, numbers, underscores only. */
const usernameSchema = z.string(accountTexts.missingFields).check(
  z.trim(),
  // Only the first text is shown, and a blank name is missing rather than misspelt.
  z.minLength(1, accountTexts.missingFields),
  z.toLowerCase(),
  z.refine((value) => !value.startsWith('_'), accountTexts.usernameStart),
  z.regex(USERNAME_PATTERN, accountTexts.usernameShape),
  z.refine((value) => !isReservedUsername(value), accountTexts.usernameUnavailable),
)

/** Exactly one plain address: no quotes, lists, comments or line breaks. */
const EMAIL_PATTERN =
  /^(?!\.|[^@]{65}|[^@]*\.[.@])[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

export const emailSchema = z
  .string(accountTexts.missingFields)
  .check(
    z.trim(),
    z.minLength(1, accountTexts.missingFields),
    z.maxLength(254, accountTexts.invalidEmail),
    z.regex(EMAIL_PATTERN, accountTexts.invalidEmail),
    z.toLowerCase(),
  )

const nameSchema = z.string(accountTexts.missingFields).check(
  z.trim(),
  z.maxLength(60, accountTexts.nameTooLong),
  // Names end up in mail headers and pages: one line, no control characters, nothing that turns what follows around.
  z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, accountTexts.nameShape),
)

const firstNameSchema = nameSchema.check(z.minLength(1, accountTexts.missingFields))

/** SPEC §5: at least 6 characters at sign-up; DECISIONS 29: at most 256. */
const signupPasswordSchema = z
  .string(accountTexts.missingFields)
  .check(
    z.minLength(1, accountTexts.missingFields),
    z.minLength(6, accountTexts.passwordTooShort),
    z.maxLength(256, accountTexts.passwordTooLong),
  )

/** SPEC §3, Signup payload. plan is an intent and grants nothing (DECISIONS 12). */
export const signupSchema = z.strictObject({
  firstName: firstNameSchema,
  lastName: z._default(nameSchema, ''),
  username: usernameSchema,
  email: emailSchema,
  password: signupPasswordSchema,
  plan: z.optional(z.enum(['free', 'pro'])),
})
export type SignupInput = z.infer<typeof signupSchema>

/** SPEC §3, Login payload: `email` is whatever was typed, a username or an address. */
export const loginSchema = z.strictObject({
  email: z
    .string(accountTexts.missingFields)
    .check(z.trim(), z.minLength(1, accountTexts.missingFields), z.maxLength(254, accountTexts.invalidLogin)),
  password: z
    .string(accountTexts.missingFields)
    .check(z.minLength(1, accountTexts.missingFields), z.maxLength(256, accountTexts.invalidLogin)),
})
export type LoginInput = z.infer<typeof loginSchema>

/** SPEC §3, Forgot payloads. */
export const forgotSchema = z.strictObject({
  email: z
    .string(accountTexts.emailRequired)
    .check(
      z.trim(),
      z.minLength(1, accountTexts.emailRequired),
      z.maxLength(254, accountTexts.invalidEmail),
      z.regex(EMAIL_PATTERN, accountTexts.invalidEmail),
      z.toLowerCase(),
    ),
})
export type ForgotInput = z.infer<typeof forgotSchema>

/** SPEC §3, Reset payload; §5: at least 8 characters. */
export const resetSchema = z.strictObject({
  token: z
    .string(accountTexts.tokenMissing)
    .check(z.minLength(1, accountTexts.tokenMissing), z.maxLength(200, accountTexts.resetLinkInvalid)),
  newPassword: z
    .string(accountTexts.missingFields)
    .check(
      z.minLength(RESET_PASSWORD_MIN, accountTexts.resetPasswordTooShort),
      z.maxLength(256, accountTexts.passwordTooLong),
    ),
})
export type ResetInput = z.infer<typeof resetSchema>

/** The form asks for the new password twice; a difference is shown at the first of the two fields. */
export const resetFormSchema = z.extend(resetSchema, { confirmation: z.string() }).check(
  z.refine(({ newPassword, confirmation }) => newPassword === confirmation, {
    error: accountTexts.passwordsDiffer,
    path: ['newPassword'],
  }),
)

/** SPEC §7, PATCH /api/user/settings: any of them. */
export const settingsSchema = z.strictObject({
  emailNotifications: z.optional(z.boolean()),
  marketingEmails: z.optional(z.boolean()),
  analytics: z.optional(z.boolean()),
  autoRenewDrops: z.optional(z.boolean()),
  timezone: z.optional(z.enum(TIMEZONES, accountTexts.invalidTimezone)),
  currency: z.optional(z.enum(CURRENCIES, accountTexts.invalidCurrency)),
})
export type SettingsInput = z.infer<typeof settingsSchema>

/** SPEC §7, PATCH /api/user/profile: any of them. A new address has to be confirmed first. */
export const profileSchema = z.strictObject({
  firstName: z.optional(firstNameSchema),
  lastName: z.optional(nameSchema),
  email: z.optional(emailSchema),
})
export type ProfileInput = z.infer<typeof profileSchema>

/** SPEC §7, POST /api/change-username; §5: not blank after trim. */
export const changeUsernameSchema = z.strictObject({
  newUsername: z
    .string(accountTexts.newUsernameRequired)
    .check(z.trim(), z.minLength(1, accountTexts.newUsernameRequired), z.overwrite(dropAt))
    .check(
      z.toLowerCase(),
      z.refine((value) => !value.startsWith('_'), accountTexts.usernameStart),
      z.regex(USERNAME_PATTERN, accountTexts.usernameShape),
      z.refine((value) => !isReservedUsername(value), accountTexts.usernameUnavailable),
    ),
})
export type ChangeUsernameInput = z.infer<typeof changeUsernameSchema>

function dropAt(typed: string): string {
  return typed.replace(/^@/, '')
}

/** The plan step of a sign-up; what it chooses is an intent (DECISIONS 12, 28). */
export const planStepSchema = z.strictObject({ plan: z.enum(['free', 'pro']) })

/** The sign-up form that goes on to the plan step: everything but the plan. */
export const signupDraftSchema = z.omit(signupSchema, { plan: true })
export type SignupDraftInput = z.infer<typeof signupDraftSchema>

export const confirmEmailSchema = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

const currentPasswordSchema = z
  .string(accountTexts.missingFields)
  .check(z.minLength(1, accountTexts.missingFields), z.maxLength(256, accountTexts.wrongPassword))

/** Begins setting up a second factor: a session alone must not be enough to lock its owner out. */
export const startTwoFactorSchema = z.strictObject({ password: currentPasswordSchema })
export type StartTwoFactorInput = z.infer<typeof startTwoFactorSchema>

export const changePasswordSchema = z.strictObject({
  password: currentPasswordSchema,
  newPassword: resetSchema.shape.newPassword,
})
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>

/** Six digits of an authenticator app, or a recovery code; spaces and hyphens are only for reading. */
export const codeSchema = z.strictObject({
  code: z.string(accountTexts.codeRequired).check(
    z.overwrite((typed) => typed.replace(/[\s-]/g, '').toLowerCase()),
    z.minLength(1, accountTexts.codeRequired),
    z.maxLength(40, accountTexts.wrongCode),
  ),
})
export type CodeInput = z.infer<typeof codeSchema>

export const endDeviceSchema = z.strictObject({ deviceId: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })
export type EndDeviceInput = z.infer<typeof endDeviceSchema>

/** Deleting an account: the username typed once more, and the password. */
export const deleteAccountSchema = z.strictObject({
  username: z
    .string(accountTexts.typeUsername)
    .check(z.trim(), z.toLowerCase(), z.overwrite(dropAt), z.minLength(1, accountTexts.typeUsername)),
  password: currentPasswordSchema,
})
export type DeleteAccountInput = z.infer<typeof deleteAccountSchema>

const suspensionDays = z
  .number(accountTexts.suspensionDaysInvalid)
  .check(
    z.int(accountTexts.suspensionDaysInvalid),
    z.gte(1, accountTexts.suspensionDaysInvalid),
    z.lte(3_650, accountTexts.suspensionDaysInvalid),
  )

const suspensionReason = z
  .string()
  .check(z.trim(), z.maxLength(500, accountTexts.suspensionReasonTooLong), z.regex(/^\P{Cs}*$/u))

/** The lengths of a suspension that the panel offers, in days; the empty one lasts until it is lifted. */
export const SUSPENSION_LENGTHS = ['7', '30', '90', ''] as const

/** The panel's form: an administrator always has to say why. */
export const suspendFormSchema = z.strictObject({
  reason: suspensionReason.check(z.minLength(1, accountTexts.suspensionReasonMissing)),
  days: z.enum(SUSPENSION_LENGTHS),
})

/** SPEC §3, Admin user update; with a suspension its reason and length, without a length until it is lifted. */
export const updateAccountSchema = z
  .strictObject({
    plan: z.optional(z.enum(['free', 'pro'])),
    isVerified: z.optional(z.boolean()),
    isSuspended: z.optional(z.boolean()),
    suspensionReason: z.optional(suspensionReason),
    suspensionDays: z.optional(suspensionDays),
  })
  .check(
    z.refine(
      ({ plan, isVerified, isSuspended }) => [plan, isVerified, isSuspended].some((value) => value !== undefined),
      accountTexts.nothingToChange,
    ),
  )
export type UpdateAccountInput = z.infer<typeof updateAccountSchema>
