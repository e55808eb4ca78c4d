import 'server-only'
import type { User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { hashPassword } from '@/lib/infra/password'
import { consumeForNetwork, giveBackToNetwork } from '@/lib/infra/network-limit'
import type { RateLimit } from '@/lib/infra/rate-limit'
import { AppError } from '@/lib/kernel/app-error'
import type { Plan } from '@/lib/kernel/plan'
import { platformError } from '@/lib/platform/messages'
import { isCommonPassword } from './is-common-password'
import { isReservedByUndoLink } from './is-reserved-by-undo-link'
import { accountError } from './messages'
import { listTakenUsernames } from './queries'
import { countConfirmation, giveBackConfirmation, queueConfirmation } from './request-email-confirmation'
import type { SignupDraftInput, SignupInput } from './schema'

/** Limits how many accounts one network address may create. */
const signups: RateLimit = { name: 'signup', points: 5, windowSeconds: 3600 }

/** A checked sign-up with a hash instead of the password, so that a cookie may keep it until a plan is chosen. */
export type AccountDraft = Omit<SignupDraftInput, 'password'> & { passwordHash: string }

/**
 * Creates an account on the free plan. A chosen plan is stored only as an intention (docs/product.md#how-pro-begins).
 * @throws USERNAME_TAKEN, EMAIL_TAKEN, PASSWORD_TOO_COMMON, TOO_MANY_REQUESTS
 */
export async function createAccount(ctx: Context, { plan, ...input }: SignupInput): Promise<User> {
  await assertUsable(ctx, input)
  return counted(ctx, async () => {
    const { password, ...account } = input
    return openAccount(ctx, { ...account, passwordHash: await hashPassword(password) }, plan)
  })
}

/**
 * Checks a sign-up whose plan is chosen afterwards, and replaces its password with a hash.
 * @throws USERNAME_TAKEN, EMAIL_TAKEN, PASSWORD_TOO_COMMON, TOO_MANY_REQUESTS
 */
export async function draftAccount(ctx: Context, input: SignupDraftInput): Promise<AccountDraft> {
  await assertUsable(ctx, input)
  const { password, ...account } = input
  // The attempt is counted before the address is looked up. Otherwise a network without attempts left could still tell
  // which addresses have an account.
  await countSignup(ctx)
  const isTaken = await ctx.db.user.findUnique({ where: { email: input.email }, select: { id: true } })
  if (isTaken) throw accountError('EMAIL_TAKEN')
  await giveBackToNetwork(signups, ctx)
  return { ...account, passwordHash: await hashPassword(password) }
}

/**
 * Creates the account of a draft.
 * @throws USERNAME_TAKEN, EMAIL_TAKEN, TOO_MANY_REQUESTS
 */
export async function createDraftedAccount(ctx: Context, draft: AccountDraft, plan: Plan): Promise<User> {
  return counted(ctx, () => openAccount(ctx, draft, plan))
}

async function assertUsable(ctx: Context, input: SignupDraftInput): Promise<void> {
  if (isCommonPassword(input.password)) throw accountError('PASSWORD_TOO_COMMON')
  if ((await listTakenUsernames(ctx.db, [input.username])).size > 0) throw accountError('USERNAME_TAKEN')
}

async function countSignup(ctx: Context): Promise<void> {
  const retryAfterSeconds = await consumeForNetwork(signups, ctx)
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
}

/**
 * Counts created accounts, not attempts. A taken email address also counts, because the limit must slow down anyone who
 * tries to find addresses that have an account.
 */
async function counted(ctx: Context, open: () => Promise<User>): Promise<User> {
  await countSignup(ctx)
  try {
    return await open()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'EMAIL_TAKEN') await giveBackToNetwork(signups, ctx)
    throw error
  }
}

/** Creates the account, and queues the link that confirms its address unless the mailbox got too many such emails. */
async function openAccount(ctx: Context, draft: AccountDraft, plan: Plan | undefined): Promise<User> {
  const mayMail = (await countConfirmation(draft.email)) === null
  try {
    return await transaction(ctx, async (tx) => {
      if (await isReservedByUndoLink(tx, draft.email)) throw accountError('EMAIL_TAKEN')
      // The name of a draft may have been given up since, and is then kept for its last owner.
      if ((await listTakenUsernames(tx.db, [draft.username])).size > 0) throw accountError('USERNAME_TAKEN')
      const user = await tx.db.user.create({ data: { ...draft, planIntent: plan ?? null } })
      if (mayMail) await queueConfirmation(tx, user)
      return user
    })
  } catch (error) {
    if (mayMail) await giveBackConfirmation(draft.email)
    // When two sign-ups use the same name or address at the same time, the unique index decides who gets it.
    const constraint = uniqueViolation(error)
    if (constraint?.includes('username')) throw accountError('USERNAME_TAKEN', { cause: error })
    if (constraint) throw accountError('EMAIL_TAKEN', { cause: error })
    throw error
  }
}
