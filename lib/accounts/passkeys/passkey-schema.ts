import { z } from 'zod/mini'
import { maxCharacters, maxItems } from '@/lib/kernel/max-characters'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { accountTexts } from '../messages'
import { PASSKEY_NAME_MAX } from '../rules'

/** Browsers send the parts of a passkey as base64url strings. The limits are far above what authenticators send. */
const base64url = (max: number) => z.string().check(...maxCharacters(max), z.regex(/^[A-Za-z0-9_-]+$/))
const credentialId = base64url(1_400)
const clientDataJSON = base64url(4_000)
const authenticatorData = base64url(4_000)
const common = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  authenticatorAttachment: z.optional(z.enum(['platform', 'cross-platform'])),
  /** We request no extensions, so whatever the browser sends in here is dropped. */
  clientExtensionResults: z.object({}),
}

/**
 * A passkey's answer to a challenge, as `PublicKeyCredential.toJSON()` returns it (WebAuthn,
 * AuthenticationResponseJSON).
 */
const passkeyAnswer = z.strictObject({
  ...common,
  response: z.strictObject({
    clientDataJSON,
    authenticatorData,
    signature: base64url(4_000),
    userHandle: z.optional(base64url(200)),
  }),
})

/** A new passkey, as `PublicKeyCredential.toJSON()` returns it (WebAuthn, RegistrationResponseJSON). */
const newPasskeyAnswer = z.strictObject({
  ...common,
  response: z.strictObject({
    clientDataJSON,
    attestationObject: base64url(30_000),
    authenticatorData: z.optional(authenticatorData),
    publicKey: z.optional(base64url(4_000)),
    publicKeyAlgorithm: z.optional(z.int()),
    transports: z.optional(z.array(z.string().check(...maxCharacters(20), z.regex(/^[a-z-]+$/))).check(maxItems(10))),
  }),
})

/**
 * The body of POST /api/auth/passkey-options. `secondStep` requests a passkey of the account whose password was
 * correct.
 */
export const passkeyOptionsSchema = z.strictObject({ purpose: z.enum(['login', 'secondStep']) })

/** The body of POST /api/auth/passkey, and the input of the action that confirms a dangerous action with a passkey. */
export const passkeySchema = z.strictObject({ credential: passkeyAnswer })
export type PasskeyInput = z.infer<typeof passkeySchema>

export const addPasskeySchema = z.strictObject({ credential: newPasskeyAnswer })
export type AddPasskeyInput = z.infer<typeof addPasskeySchema>

const passkeyId = z.int().check(z.gte(1), z.lte(MAX_DATABASE_INT))

export const removePasskeySchema = z.strictObject({ passkeyId })
export type RemovePasskeyInput = z.infer<typeof removePasskeySchema>

/** The form in which a passkey is renamed. The name is one line. */
export const passkeyNameSchema = z.strictObject({
  name: z.string(accountTexts.passkeyNameRequired).check(
    z.trim(),
    z.minLength(1, accountTexts.passkeyNameRequired),
    ...maxCharacters(PASSKEY_NAME_MAX, accountTexts.passkeyNameTooLong),
    // The name is written into emails, as other names are.
    z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, accountTexts.nameShape),
  ),
})
export const renamePasskeySchema = z.extend(passkeyNameSchema, { passkeyId })
export type RenamePasskeyInput = z.infer<typeof renamePasskeySchema>
