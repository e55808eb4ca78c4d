import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { lockUnchanged } from './lock-unchanged'
import { accountError } from './messages'
import { hasTwoFactor } from './queries'

/**
 * How many sessions an account has at most. Nobody has as many devices. Without a limit, one account could fill the
 * table, because signing in with the right password is not limited.
 */
const MOST_SESSIONS = 100

/** How many days a device stays signed in, at most. */
export const SESSION_DAYS = 30

type NewSession = {
  userId: number
  userAgent: string
  steppedUpAt?: Date | null
  /** The hash of the account's password when the login was checked. */
  checkedHash?: string
  /** Whether nothing but the password was checked, because the account had no second factor. */
  isPasswordOnly?: boolean
}

/**
 * Opens a session and returns the secret for the cookie. The database stores only a hash of the secret. The
 * oldest sessions above MOST_SESSIONS are deleted, those that have ended before the others
 * (docs/product.md#sessions-and-devices).
 * @throws INVALID_LOGIN when the password has changed, or the account was closed, since the login was checked, and
 *   SECOND_STEP_EXPIRED when two-factor sign-in was turned on since. The session would otherwise outlive the change that
 *   was meant to end it.
 */
export async function startSession(ctx: Context, input: NewSession): Promise<string> {
  const secret = newSecret()
  await transaction(ctx, async (tx) => {
    const { userId: id, checkedHash: passwordHash } = input
    if (passwordHash !== undefined && !(await lockUnchanged(tx, { id, passwordHash })))
      throw accountError('INVALID_LOGIN')
    if (input.isPasswordOnly && (await hasTwoFactor(tx, input.userId))) throw accountError('SECOND_STEP_EXPIRED')
    await tx.db.session.create({
      data: {
        id: sha256(secret),
        userId: input.userId,
        userAgent: input.userAgent.slice(0, 300),
        ip: ctx.ip,
        stepUpAt: input.steppedUpAt ?? null,
        expiresAt: new Date(ctx.clock.now().getTime() + SESSION_DAYS * DAY_MS),
      },
    })
  })
  await ctx.sql(
    'delete-oldest-sessions',
    `DELETE FROM "Session" WHERE "id" IN (
       SELECT s."id" FROM "Session" s WHERE s."id" IN (
         SELECT "id" FROM "Session" WHERE "userId" = :userId
          ORDER BY ("revokedAt" IS NULL AND "expiresAt" > now()) DESC, "createdAt" DESC OFFSET :most)
       FOR UPDATE SKIP LOCKED)`,
    { userId: input.userId, most: MOST_SESSIONS },
  )
  return secret
}
