import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { accountError, accountTexts } from '@/lib/accounts/messages'
import { callApi } from './call-api'

/** The outcome of a browser's passkey dialog: a response for the server, or a text that says why there is none. */
type Asked<Answer> = { ok: true; credential: Sent<Answer> } | { ok: false; text: string }

/** A response without the results of extensions, because the server requests none. */
type Sent<Answer> = Omit<Answer, 'clientExtensionResults'> & { clientExtensionResults: Record<string, never> }

/**
 * The code for passkeys is loaded when it is needed, because most visitors to the login page sign in with a password.
 */
const load = () => import('@simplewebauthn/browser')

/** Whether this browser can use passkeys on this page. */
export function canUsePasskeys(): boolean {
  return window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}

/** The number of requests made to the browser. It handles only one at a time, and a new one replaces the one before. */
let requestCount = 0

/** Asks the browser for one of the passkeys that the server named, or for any passkey of this site. */
export function askPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<Asked<AuthenticationResponseJSON>> {
  return outcomeOf(async () => (await load()).startAuthentication({ optionsJSON: options }))
}

/** Asks the browser to create a passkey. */
export function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<Asked<RegistrationResponseJSON>> {
  return outcomeOf(async () => (await load()).startRegistration({ optionsJSON: options }))
}

async function outcomeOf<Answer>(ask: () => Promise<Answer>): Promise<Asked<Answer>> {
  requestCount += 1
  try {
    return { ok: true, credential: { ...(await ask()), clientExtensionResults: {} } }
  } catch (error) {
    return { ok: false, text: textOf(error) }
  }
}

function textOf(error: unknown): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return accountError('PASSKEY_KNOWN').message
  // Browsers also report NotAllowedError when the device has no passkey for this site, so that pages cannot find that
  // out.
  return name === 'NotAllowedError' || name === 'AbortError'
    ? accountTexts.passkeyUnused
    : accountTexts.passkeyUnavailable
}

let lastRequest: Promise<unknown> = Promise.resolve()

/**
 * Fetches a challenge for the login. Each challenge replaces the one in the browser's cookie. Requests therefore run
 * one after the other, so that the cookie belongs to the last response.
 */
export function requestPasskeyOptions(purpose: 'login' | 'secondStep'): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const request = lastRequest.then(() =>
    callApi<{ options: PublicKeyCredentialRequestOptionsJSON }>('POST', '/api/auth/passkey-options', { purpose }),
  )
  lastRequest = request.catch(() => undefined)
  return request.then(({ options }) => options)
}

/**
 * Offers the passkeys of this site among the suggestions of the username field (`autocomplete="username webauthn"`).
 * Nothing is loaded in a browser that cannot do this.
 * @returns the response of the chosen passkey; null when none was chosen or the offer ended.
 */
export async function offerPasskeys(): Promise<AuthenticationResponseJSON | null> {
  if (!canUsePasskeys() || !(await window.PublicKeyCredential.isConditionalMediationAvailable?.())) return null
  const thisRequest = (requestCount += 1)
  try {
    const [{ startAuthentication }, options] = await Promise.all([load(), requestPasskeyOptions('login')])
    // Another request was made in the meantime, for example by the button, or the offer has ended.
    if (thisRequest !== requestCount) return null
    return await startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
  } catch {
    // The offer was replaced by another one, or the network failed. The button still works.
    return null
  }
}

/** Ends the offer of offerPasskeys(), even one that is still being prepared. */
export async function endPasskeyOffer(): Promise<void> {
  requestCount += 1
  const { WebAuthnAbortService } = await load()
  WebAuthnAbortService.cancelCeremony()
}
