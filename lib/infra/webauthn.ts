import 'server-only'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { brand } from '@/lib/kernel/brand'
import { MINUTE_MS } from '@/lib/kernel/time'

/**
 * The site that a passkey belongs to: the origin of the page, and its host name, which is the id of the relying party.
 */
export type PasskeySite = { origin: string; rpId: string }

export type PasskeyAnswer = AuthenticationResponseJSON
export type NewPasskeyAnswer = RegistrationResponseJSON
export type PasskeyRequest = PublicKeyCredentialRequestOptionsJSON
export type NewPasskeyRequest = PublicKeyCredentialCreationOptionsJSON

/** How long a challenge is valid. */
export const CHALLENGE_MS = 5 * MINUTE_MS

/** Ed25519, ES256 and RS256, one of which every authenticator offers. */
const ALGORITHMS = [-8, -7, -257]

type Known = { credentialId: string; transports: string[] }

const descriptors = (known: Known[]) => known.map(({ credentialId, transports }) => ({ id: credentialId, transports }))

type NewPasskey = { site: PasskeySite; handle: string; username: string; firstName: string; known: Known[] }

/**
 * Returns what a browser needs to create a passkey. The passkey has to work without a username and has to verify its
 * user, because a passkey alone is enough to sign in.
 * @param handle the account's id at the authenticator, which says nothing about the account
 */
export function newPasskeyRequest({
  site,
  handle,
  username,
  firstName,
  known,
}: NewPasskey): Promise<NewPasskeyRequest> {
  return generateRegistrationOptions({
    rpName: brand.name,
    rpID: site.rpId,
    userName: username,
    userDisplayName: firstName,
    userID: new Uint8Array(Buffer.from(handle, 'hex')),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: descriptors(known),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  })
}

/**
 * Returns what a browser needs to ask for a passkey.
 * @param known the passkeys of the account. With an empty list the browser offers every passkey that it has for this
 *   site.
 */
export function passkeyRequest(site: PasskeySite, known: Known[], isAlone: boolean): Promise<PasskeyRequest> {
  return generateAuthenticationOptions({
    rpID: site.rpId,
    timeout: CHALLENGE_MS,
    allowCredentials: descriptors(known),
    userVerification: isAlone ? 'required' : 'preferred',
  })
}

/**
 * Checks a new passkey.
 * @throws an Error that says what is wrong, for the log
 */
export async function checkNewPasskey(response: NewPasskeyAnswer, challenge: string, site: PasskeySite) {
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('the new passkey was not verified')
  const { id, publicKey, counter } = registrationInfo.credential
  const transports = response.response.transports ?? []
  return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
}

type Check = {
  challenge: string
  site: PasskeySite
  passkey: { credentialId: string; publicKey: string; counter: bigint }
  /** Whether the passkey is the only factor, so that it must have verified its user. */
  isAlone: boolean
}

/**
 * Checks the response of a passkey.
 * @returns the new counter. @throws an Error that says what is wrong, for the log
 */
export async function checkPasskey(response: PasskeyAnswer, check: Check): Promise<number> {
  const { credentialId: id, publicKey, counter } = check.passkey
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: check.challenge,
    expectedOrigin: check.site.origin,
    expectedRPID: check.site.rpId,
    credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: Number(counter) },
    requireUserVerification: check.isAlone,
  })
  if (!verified) throw new Error('the signature is wrong')
  return authenticationInfo.newCounter
}
