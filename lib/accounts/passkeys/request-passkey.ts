import 'server-only'
import type { Context } from '@/lib/infra/context'
import { type PasskeyRequest, passkeyRequest, type PasskeySite } from '@/lib/infra/webauthn'
import type { PasskeyChallenge } from './spend-passkey'

type Asked = Pick<PasskeyChallenge, 'purpose' | 'userId' | 'sessionId'>
type Request = { options: PasskeyRequest; waiting: PasskeyChallenge }

/**
 * Makes a challenge for a login without a password. Its options list no passkeys, so they reveal nothing about any
 * account.
 */
export async function requestAnyPasskey(site: PasskeySite): Promise<Request> {
  const options = await passkeyRequest(site, [], true)
  return { options, waiting: { challenge: options.challenge, purpose: 'login', userId: null, sessionId: null } }
}

/**
 * Makes a challenge for the passkeys of an account that is signed in, or whose correct password was just entered.
 * @returns null when the account has no passkey
 */
export async function requestPasskey(
  ctx: Context,
  { site, ...asked }: Asked & { site: PasskeySite; userId: number },
): Promise<Request | null> {
  const known = await ctx.db.passkey.findMany({ where: { userId: asked.userId } })
  if (known.length === 0) return null
  const options = await passkeyRequest(site, known, false)
  return { options, waiting: { challenge: options.challenge, ...asked } }
}
