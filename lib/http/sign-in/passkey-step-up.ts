import 'server-only'
import { headers } from 'next/headers'
import type { PasskeyInput } from '@/lib/accounts/passkeys/passkey-schema'
import { requestPasskey } from '@/lib/accounts/passkeys/request-passkey'
import { stepUpWithPasskey } from '@/lib/accounts/step-up'
import type { Context } from '@/lib/infra/context'
import type { PasskeyRequest } from '@/lib/infra/webauthn'
import type { UserActor } from '@/lib/kernel/actor'
import { passkeyCookie, passkeySite, takePasskeyRound } from './passkey-round'

/**
 * Gives the browser a challenge for a step-up with a passkey.
 * @returns null for an account without passkeys, so that the screen offers only the code.
 */
export async function startPasskeyStepUp(ctx: Context<UserActor>): Promise<PasskeyRequest | null> {
  const { userId, sessionId } = ctx.actor
  const site = passkeySite(await headers())
  const asked = await requestPasskey(ctx, { site, purpose: 'stepUp', userId, sessionId })
  if (asked) await passkeyCookie.write(asked.waiting)
  return asked?.options ?? null
}

/**
 * Finishes a step-up with the response of a passkey.
 * @throws as stepUpWithPasskey() does
 */
export async function finishPasskeyStepUp(ctx: Context<UserActor>, input: PasskeyInput): Promise<void> {
  await stepUpWithPasskey(ctx, input, await takePasskeyRound(await headers()))
}
