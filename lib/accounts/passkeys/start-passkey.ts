import 'server-only'
import type { z } from 'zod/mini'
import type { Context } from '@/lib/infra/context'
import { keyedHash } from '@/lib/infra/crypto'
import { type NewPasskeyRequest, newPasskeyRequest, type PasskeySite } from '@/lib/infra/webauthn'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { assertOwnPassword, assertSteppedUp } from '../guards'
import { accountError } from '../messages'
import { MAX_PASSKEYS } from '../rules'
import type { proofSchema } from '../schema'
import type { PasskeyChallenge } from './spend-passkey'

/**
 * Checks that the account's owner adds the passkey, and makes the challenge for it. An owner with a second factor must
 * have given it within the last ten minutes. Any other owner must give the password, even right after signing in.
 * @throws STEP_UP_REQUIRED, PROOF_REQUIRED, WRONG_PASSWORD, TOO_MANY_REQUESTS, PASSKEY_LIMIT
 */
export async function startPasskey(
  ctx: Context<UserActor>,
  { password }: z.infer<typeof proofSchema>,
  site: PasskeySite,
): Promise<{ options: NewPasskeyRequest; waiting: PasskeyChallenge }> {
  const { userId, sessionId, hasTwoFactor } = ctx.actor
  if (hasTwoFactor) assertSteppedUp(ctx)
  else if (password === undefined) throw platformError('PROOF_REQUIRED')
  else await assertOwnPassword(ctx, password)
  const user = await ctx.db.user.findUniqueOrThrow({ where: { id: userId }, include: { passkeys: true } })
  if (user.passkeys.length >= MAX_PASSKEYS) throw accountError('PASSKEY_LIMIT')
  const options = await newPasskeyRequest({
    site,
    handle: keyedHash('passkey-user', String(userId)),
    username: user.username ?? `account ${userId}`,
    firstName: user.firstName,
    known: user.passkeys,
  })
  return { options, waiting: { challenge: options.challenge, purpose: 'add', userId, sessionId } }
}
