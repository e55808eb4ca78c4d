import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { plans } from '@/lib/kernel/plan'
import { accountTexts } from './messages'
import {
  CURRENCIES,
  hasOpenEnd,
  isReservedUsername,
  offeredTimezone,
  RESET_PASSWORD_MIN,
  TIMEZONES,
  USERNAME_PATTERN,
} from './rules'

/**
 * A new username has 3 to 20 characters, all of them letters, digits or underscores. It neither starts nor ends with an
 * underscore (docs/product.md#usernames).
 */
const newUsernameChecks: z.core.$ZodCheck<string>[] = [
  z.toLowerCase(),
  z.refine((value: string) => !value.startsWith('_'), accountTexts.usernameStart),
  z.regex(USERNAME_PATTERN, accountTexts.usernameShape),
  z.refine((value: string) => !hasOpenEnd(value), accountTexts.usernameEnd),
  z.refine((value: string) => !isReservedUsername(value), accountTexts.usernameUnavailable),
]

const usernameSchema = z.string(accountTexts.missingFields).check(
  z.trim(),
  // Only the first error is shown. This check comes before the others, so that a blank name is reported as missing.
  z.minLength(1, accountTexts.missingFields),
  ...newUsernameChecks,
)

/** Matches exactly one plain email address, without quotes, lists, comments or line breaks. */
const EMAIL_PATTERN =
  /^(?!\.|[^@]{65}|[^@]*\.[.@])[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i

/** @param missing the error for a missing address */
const emailOr = (missing: string) =>
  z
    .string(missing)
    .check(
      z.trim(),
      z.minLength(1, missing),
      ...maxCharacters(254, accountTexts.invalidEmail),
      z.regex(EMAIL_PATTERN, accountTexts.invalidEmail),
      z.toLowerCase(),
    )

export const emailSchema = emailOr(accountTexts.missingFields)

const nameSchema = z.string(accountTexts.missingFields).check(
  z.trim(),
  ...maxCharacters(60, accountTexts.nameTooLong),
  // Names are written into email headers and pages, so they must be one line without control characters and without
  // marks that reverse the direction of the text after them.
  z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, accountTexts.nameShape),
)

const firstNameSchema = nameSchema.check(z.minLength(1, accountTexts.missingFields))

/** A password at sign-up has 6 to 256 characters (docs/product.md#passwords). */
const signupPasswordSchema = z
  .string(accountTexts.missingFields)
  .check(
    z.minLength(1, accountTexts.missingFields),
    z.minLength(6, accountTexts.passwordTooShort),
    ...maxCharacters(256, accountTexts.passwordTooLong),
  )

/**
 * The body of a sign-up (docs/contract.md#calls-about-accounts). `plan` is only an intent and grants nothing
 * (docs/product.md#how-pro-begins).
 */
export const signupSchema = z.strictObject({
  firstName: firstNameSchema,
  lastName: z._default(nameSchema, ''),
  username: usernameSchema,
  email: emailSchema,
  password: signupPasswordSchema,
  plan: z.optional(z.enum(plans)),
  // The time zone of the browser. One that is not offered is ignored, because it can be chosen in the settings.
  timezone: z.optional(z.pipe(z.string().check(...maxCharacters(64)), z.transform(offeredTimezone))),
})
export type SignupInput = z.infer<typeof signupSchema>

/** The body of a login (docs/contract.md#calls-about-accounts). `email` holds either a username or an email address. */
export const loginSchema = z.strictObject({
  email: z
    .string(accountTexts.missingFields)
    .check(z.trim(), z.minLength(1, accountTexts.missingFields), ...maxCharacters(254, accountTexts.invalidLogin)),
  password: z
    .string(accountTexts.missingFields)
    .check(z.minLength(1, accountTexts.missingFields), ...maxCharacters(256, accountTexts.invalidLogin)),
})
export type LoginInput = z.infer<typeof loginSchema>

/** The body of a request for a forgotten password or username (docs/contract.md#calls-about-accounts). */
export const forgotSchema = z.strictObject({ email: emailOr(accountTexts.emailRequired) })
export type ForgotInput = z.infer<typeof forgotSchema>

/**
 * The body of a password reset (docs/contract.md#calls-about-accounts). The new password needs at least 8 characters
 * (docs/product.md#passwords).
 */
export const resetSchema = z.strictObject({
  token: z
    .string(accountTexts.tokenMissing)
    .check(z.minLength(1, accountTexts.tokenMissing), ...maxCharacters(200, accountTexts.resetLinkInvalid)),
  newPassword: z
    .string(accountTexts.missingFields)
    .check(
      z.minLength(RESET_PASSWORD_MIN, accountTexts.resetPasswordTooShort),
      ...maxCharacters(256, accountTexts.passwordTooLong),
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

/** The body of PATCH /api/user/settings, in which every field is optional (docs/contract.md#calls-about-accounts). */
export const settingsSchema = z.strictObject({
  emailNotifications: z.optional(z.boolean()),
  marketingEmails: z.optional(z.boolean()),
  analytics: z.optional(z.boolean()),
  autoRenewDrops: z.optional(z.boolean()),
  timezone: z.optional(z.enum(TIMEZONES, accountTexts.invalidTimezone)),
  currency: z.optional(z.enum(CURRENCIES, accountTexts.invalidCurrency)),
})
export type SettingsInput = z.infer<typeof settingsSchema>

/**
 * The body of PATCH /api/user/profile, in which every field is optional (docs/contract.md#calls-about-accounts). A new
 * email address must be confirmed first.
 */
export const profileSchema = z.strictObject({
  firstName: z.optional(firstNameSchema),
  lastName: z.optional(nameSchema),
  email: z.optional(emailSchema),
  /** Required for a new email address, unless the user has just proved who they are. */
  password: z.optional(
    z.string().check(z.minLength(1, accountTexts.missingFields), ...maxCharacters(256, accountTexts.wrongPassword)),
  ),
})
export type ProfileInput = z.infer<typeof profileSchema>

/** The body of POST /api/change-username (docs/contract.md#calls-about-accounts). The name must not be blank. */
export const changeUsernameSchema = z.strictObject({
  newUsername: z
    .string(accountTexts.newUsernameRequired)
    .check(z.trim(), z.minLength(1, accountTexts.newUsernameRequired), z.overwrite(stripAtSign))
    .check(...newUsernameChecks),
})
export type ChangeUsernameInput = z.infer<typeof changeUsernameSchema>

function stripAtSign(typed: string): string {
  return typed.replace(/^@/, '')
}

/**
 * The plan step of a sign-up. The chosen plan is only an intent (docs/product.md#how-pro-begins,
 * docs/product.md#choosing-a-plan-while-signing-up).
 */
export const planStepSchema = z.strictObject({ plan: z.enum(plans) })

/** The sign-up form that continues with the plan step: all fields except the plan. */
export const signupDraftSchema = z.omit(signupSchema, { plan: true })
export type SignupDraftInput = z.infer<typeof signupDraftSchema>

export const confirmEmailSchema = z.strictObject({ token: z.string().check(z.minLength(1), ...maxCharacters(200)) })

const currentPasswordSchema = z
  .string(accountTexts.missingFields)
  .check(z.minLength(1, accountTexts.missingFields), ...maxCharacters(256, accountTexts.wrongPassword))

/**
 * The body of a request that starts to set up a second factor. It needs the password, because otherwise a stolen
 * session would be enough to lock the owner out.
 */
export const startTwoFactorSchema = z.strictObject({ password: currentPasswordSchema })
export type StartTwoFactorInput = z.infer<typeof startTwoFactorSchema>

/**
 * The proof that a request comes from the account's owner. The password may be missing when the owner has just signed
 * in or given the second factor.
 */
export const proofSchema = z.strictObject({ password: z.optional(currentPasswordSchema) })

export const changePasswordSchema = z.strictObject({
  password: currentPasswordSchema,
  newPassword: resetSchema.shape.newPassword,
})
export type ChangePasswordInput = z.infer<typeof changePasswordSchema>

/** A code is either six digits from an authenticator app or a recovery code. Spaces and hyphens are ignored. */
export const codeSchema = z.strictObject({
  code: z.string(accountTexts.codeRequired).check(
    z.overwrite((typed) => typed.replace(/[\s-]/g, '').toLowerCase()),
    z.minLength(1, accountTexts.codeRequired),
    ...maxCharacters(40, accountTexts.wrongCode),
  ),
})
export type CodeInput = z.infer<typeof codeSchema>

/** New recovery codes need a code, unless passkeys are the only second factor of the account. */
export const renewCodesSchema = z.partial(codeSchema)

export const endDeviceSchema = z.strictObject({ deviceId: z.string().check(z.regex(/^[0-9a-f]{64}$/)) })
export type EndDeviceInput = z.infer<typeof endDeviceSchema>

/** To delete an account, its owner must type the username again and give the password. */
export const deleteAccountSchema = z.strictObject({
  username: z
    .string(accountTexts.typeUsername)
    .check(z.trim(), z.toLowerCase(), z.overwrite(stripAtSign), z.minLength(1, accountTexts.typeUsername)),
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
  .check(z.trim(), ...maxCharacters(500, accountTexts.suspensionReasonTooLong), z.regex(/^\P{Cs}*$/u))

/**
 * The lengths of a suspension that the admin panel offers, in days. The empty string means that the suspension lasts
 * until an administrator lifts it.
 */
export const SUSPENSION_LENGTHS = ['7', '30', '90', ''] as const

/** The admin panel's form for a suspension. Unlike in the API, the reason is required. */
export const suspendFormSchema = z.strictObject({
  reason: suspensionReason.check(z.minLength(1, accountTexts.suspensionReasonMissing)),
  days: z.enum(SUSPENSION_LENGTHS),
})

/** For how many days the admin panel offers to stop a seller's payouts. */
export const PAYOUT_HOLD_LENGTHS = ['7', '30', '90'] as const

/** The admin panel's form for stopping payouts. */
export const payoutHoldFormSchema = z.strictObject({ days: z.enum(PAYOUT_HOLD_LENGTHS) })

/** The most days for which payouts can be stopped at a time. We chose the number. */
const MAX_PAYOUT_HOLD_DAYS = 365

const payoutHoldDays = z
  .number(accountTexts.payoutHoldDaysInvalid)
  .check(
    z.int(accountTexts.payoutHoldDaysInvalid),
    z.gte(0, accountTexts.payoutHoldDaysInvalid),
    z.lte(MAX_PAYOUT_HOLD_DAYS, accountTexts.payoutHoldDaysInvalid),
  )

/**
 * The body of an administrator's change to an account (docs/contract.md#calls-of-administrators). A suspension may have
 * a reason and a length. Without a length it lasts until an administrator lifts it. `payoutHoldDays` stops the seller's
 * payouts for this number of days from now; 0 releases them.
 */
export const updateAccountSchema = z
  .strictObject({
    plan: z.optional(z.enum(plans)),
    isVerified: z.optional(z.boolean()),
    isSuspended: z.optional(z.boolean()),
    suspensionReason: z.optional(suspensionReason),
    suspensionDays: z.optional(suspensionDays),
    payoutHoldDays: z.optional(payoutHoldDays),
  })
  .check(
    z.refine(
      ({ plan, isVerified, isSuspended, payoutHoldDays }) =>
        [plan, isVerified, isSuspended, payoutHoldDays].some((value) => value !== undefined),
      accountTexts.nothingToChange,
    ),
  )
export type UpdateAccountInput = z.infer<typeof updateAccountSchema>
