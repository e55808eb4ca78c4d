import 'server-only'
import type { PasskeyChallenge, PasskeyRound } from '@/lib/accounts/passkeys/spend-passkey'
import { env } from '@/lib/infra/env'
import { CHALLENGE_MS, type PasskeySite } from '@/lib/infra/webauthn'
import { SECOND_MS } from '@/lib/kernel/time'
import { isOurOrigin } from '../origin'
import { sealedCookie } from '../cookies/sealed-cookie'

/** The cookie of a challenge that a passkey has to answer. */
export const passkeyCookie = sealedCookie<PasskeyChallenge>('lastcall-passkey', CHALLENGE_MS / SECOND_MS)

/**
 * Returns the site to which the passkeys of a page belong. The origin of the page counts only if it is one of ours
 * (docs/contract.md#environment). Otherwise it is the site of our public origin.
 */
export function passkeySite(headers: Pick<Headers, 'get'>): PasskeySite {
  const sent = headers.get('origin')
  const origin = sent !== null && isOurOrigin(sent) ? sent : env().appUrl
  return { origin, rpId: new URL(origin).hostname }
}

/**
 * Reads the challenge and removes its cookie, so that the browser has only one attempt at it, even if the attempt
 * fails.
 */
export async function takePasskeyRound(headers: Pick<Headers, 'get'>): Promise<PasskeyRound> {
  const waiting = await passkeyCookie.read()
  await passkeyCookie.clear()
  return { waiting, site: passkeySite(headers) }
}
