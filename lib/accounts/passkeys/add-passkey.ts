import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { deviceLabel } from '@/lib/infra/device-label'
import { checkNewPasskey } from '@/lib/infra/webauthn'
import type { UserActor } from '@/lib/kernel/actor'
import { queueMail } from '@/lib/notifications/queue-mail'
import { endOtherDevices } from '../end-device'
import { passwordMark } from '../finish-login'
import { issueRecoveryCodes } from '../two-factor/issue-recovery-codes'
import { issueUndo } from '../issue-token'
import { limitSecurityChanges } from '../limit-security-changes'
import { lockOwnAccount } from '../lock-own-account'
import { undoLink } from '../mails'
import { markSteppedUp } from '../mark-stepped-up'
import { accountError } from '../messages'
import { passkeyAddedMail } from './passkey-mails'
import type { AddPasskeyInput } from './passkey-schema'
import { hasTwoFactor } from '../queries'
import { MAX_PASSKEYS, PASSKEY_NAME_MAX } from '../rules'
import { challengeFor, type PasskeyRound, spendChallenge } from './spend-passkey'

/**
 * Adds a passkey that was made for the challenge of startPasskey(), and emails the owner a link that removes the
 * passkey and gives the account back to the email address that received the link (ADR 0062). If the account had no
 * second factor, the passkey turns two-factor sign-in on, and all other devices are signed out.
 * @param userAgent the browser, after which the passkey is named until its owner renames it
 * @returns recovery codes, if two-factor sign-in was off before; otherwise null. They cannot be read again.
 * @throws PASSKEY_EXPIRED, PASSKEY_REFUSED, PASSKEY_LIMIT, PASSKEY_KNOWN, NOT_SIGNED_IN
 */
export async function addPasskey(
  ctx: Context<UserActor>,
  { credential }: AddPasskeyInput,
  { userAgent, ...round }: PasskeyRound & { userAgent: string },
): Promise<string[] | null> {
  const { userId, sessionId } = ctx.actor
  const challenge = challengeFor(round.waiting, { purpose: 'add', userId, sessionId })
  const { transports, ...checked } = await checkNewPasskey(credential, challenge, round.site).catch(
    (cause: unknown) => {
      ctx.log.warn({ cause: String(cause) }, 'new passkey refused')
      throw accountError('PASSKEY_REFUSED', { cause })
    },
  )
  const name = deviceLabel(userAgent).slice(0, PASSKEY_NAME_MAX)
  try {
    const add = async (tx: Context<UserActor>) => {
      // The lock makes simultaneous requests count the passkeys one after the other, so they cannot exceed the limit.
      await lockOwnAccount(tx)
      const user = await tx.db.user.findUniqueOrThrow({ where: { id: userId } })
      if ((await tx.db.passkey.count({ where: { userId } })) >= MAX_PASSKEYS) throw accountError('PASSKEY_LIMIT')
      await spendChallenge(tx, challenge)
      const wasOn = await hasTwoFactor(tx, userId)
      // The link removes every passkey that is not older than its token, so the token is made first, and the
      // passkey gets the same `createdAt`.
      const undo = await issueUndo(tx, user)
      const passkey = {
        ...checked,
        transports,
        userId,
        name,
        passwordMark: passwordMark(user),
        createdAt: undo.createdAt,
      }
      await tx.db.passkey.create({ data: passkey })
      const about = { name, turnsOn: !wasOn, undoUrl: undoLink(tx.appUrl, undo.secret) }
      await queueMail(tx, [passkeyAddedMail(user.email, about, undo.id)])
      if (wasOn) return null
      await endOtherDevices(tx)
      await markSteppedUp(tx)
      return issueRecoveryCodes(tx, userId)
    }
    return await limitSecurityChanges(ctx, () => transaction(ctx, add))
  } catch (error) {
    if (uniqueViolation(error)) throw accountError('PASSKEY_KNOWN', { cause: error })
    throw error
  }
}
