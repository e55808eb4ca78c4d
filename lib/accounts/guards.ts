import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { isStrongPassword } from '@/lib/infra/is-strong-password.mjs'
import { verifyPassword } from '@/lib/infra/password'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import type { Actor, UserActor } from '@/lib/kernel/actor'
import { MINUTE_MS } from '@/lib/kernel/time'
import { isAboveMailboxLimit } from '@/lib/notifications/is-above-mailbox-limit'
import { platformError } from '@/lib/platform/messages'
import { accountError, accountTexts } from './messages'

/** For how long a second factor counts as recently given (docs/product.md#two-factor-sign-in). */
const STEP_UP_MS = 10 * MINUTE_MS

/**
 * Guards actions that would be harmful in a stolen session. A user with a second factor must have given it within the
 * last ten minutes. An administrator without one must have signed in or given the password within that time, unless
 * nobody else can reach the installation.
 * @throws STEP_UP_REQUIRED, TWO_FACTOR_REQUIRED
 */
export function assertSteppedUp(ctx: Context<UserActor>): void {
  assertTwoFactorForAdmins(ctx)
  const { hasTwoFactor, isAdmin } = ctx.actor
  if (hasProvedRecently(ctx)) return
  if (hasTwoFactor) throw platformError('STEP_UP_REQUIRED')
  if (isAdmin && ctx.isExposed) throw platformError('STEP_UP_REQUIRED', { text: accountTexts.passwordStepUp })
}

function hasProvedRecently({ actor: { steppedUpAt }, clock }: Context<UserActor>): boolean {
  return steppedUpAt !== null && clock.now().getTime() - steppedUpAt.getTime() < STEP_UP_MS
}

/**
 * Guards actions that would let someone with a stolen session take over the account. The user must have signed in or
 * given the second factor within the last ten minutes, or give the password now
 * (docs/product.md#proving-who-you-are).
 * @throws PROOF_REQUIRED, WRONG_PASSWORD, TOO_MANY_REQUESTS
 */
export async function assertOwner(ctx: Context<UserActor>, password: string | undefined): Promise<void> {
  if (password !== undefined) await assertOwnPassword(ctx, password)
  else if (!hasProvedRecently(ctx)) throw platformError('PROOF_REQUIRED')
}

/**
 * Refuses an administrator without a second factor when payments are live. In the sandbox the second factor is optional
 * (docs/product.md#two-factor-sign-in).
 * @throws TWO_FACTOR_REQUIRED
 */
export function assertTwoFactorForAdmins({ actor, payments }: Pick<Context<UserActor>, 'actor' | 'payments'>): void {
  if (lacksTwoFactor(actor, payments)) throw platformError('TWO_FACTOR_REQUIRED')
}

/** Whether the actor is an administrator who may not act as one yet, because a second factor is missing. */
export function lacksTwoFactor(actor: Actor, payments: Context['payments']): boolean {
  return actor.kind === 'user' && actor.isAdmin && !actor.hasTwoFactor && payments === 'live'
}

/** Limits guesses at the user's own password, in case the session was stolen. */
const passwordChecks: RateLimit = { name: 'own-password', points: 10, windowSeconds: 15 * 60 }

/**
 * Checks the user's password again.
 * @param options.mayBeWeak accepts an administrator's weak password, which is about to be replaced. Nothing else may be
 *   done with it: a person who guessed it during a trial could otherwise add a second factor.
 * @returns the hash of the password, so that a change can be refused if the password has changed since
 * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS, WEAK_ADMIN_PASSWORD
 */
export async function assertOwnPassword(
  ctx: Context<UserActor>,
  password: string,
  { mayBeWeak = false } = {},
): Promise<string> {
  const key = String(ctx.actor.userId)
  const retryAfterSeconds = await consume(passwordChecks, key)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, field: 'password' })
  const { passwordHash } = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  if (!(await verifyPassword(passwordHash, password))) throw accountError('WRONG_PASSWORD')
  await giveBack(passwordChecks, key)
  if (!mayBeWeak) assertStrongForAdmin(ctx, ctx.actor, { password, field: 'password' })
  return passwordHash
}

/**
 * Refuses an administrator's password that is easy to guess while the shop takes real money. An installation may have
 * been tried with such a password before its live keys were set, and its start checks only ADMIN_PASSWORD.
 * @param field the form's field of the password
 * @throws WEAK_ADMIN_PASSWORD
 */
export function assertStrongForAdmin(
  { takesRealMoney }: Pick<Context, 'takesRealMoney'>,
  { isAdmin }: Pick<User, 'isAdmin'>,
  { password, field }: { password: string; field: 'password' | 'newPassword' },
): void {
  if (isAdmin && takesRealMoney && !isStrongPassword(password)) throw accountError('WEAK_ADMIN_PASSWORD', { field })
}

/** Limits how often one network address may ask for a reset link or a username. */
export const forgotPasswordLimit: RateLimit = { name: 'forgot-password', points: 3, windowSeconds: 3600 }
export const forgotUsernameLimit: RateLimit = { name: 'forgot-username', points: 3, windowSeconds: 3600 }

/**
 * Limits the emails of one kind to one account, however many network addresses request them. Beyond the limit the
 * response is the same but no email is sent, so the last reset link that was sent keeps working.
 */
const perAccount: RateLimit = { name: 'forgot-account', points: 3, windowSeconds: 3600 }
/**
 * Accounts that have not confirmed their address also count together by mailbox, as in noteNewLogin(), so that nobody
 * can flood a mailbox with many spellings of its address.
 */
const unconfirmedLimits = (forgotten: string) => ({
  first: { name: `forgot-${forgotten}-first`, points: 1, windowSeconds: 24 * 3600 },
  further: { name: `forgot-${forgotten}-mailbox`, points: 2, windowSeconds: 3600 },
})

/**
 * Counts one more email of this kind.
 * @returns whether this email would exceed a limit for the hour
 */
export async function countForgottenMail(
  { email, emailConfirmedAt }: Pick<User, 'email' | 'emailConfirmedAt'>,
  forgotten: 'password' | 'username',
): Promise<boolean> {
  if (emailConfirmedAt === null) return isAboveMailboxLimit(unconfirmedLimits(forgotten), email)
  return (await consume(perAccount, `${forgotten}:${email}`)) !== null
}
