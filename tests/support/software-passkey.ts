import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { NewPasskeyAnswer, NewPasskeyRequest, PasskeyAnswer, PasskeyRequest } from '@/lib/infra/webauthn'

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()
const b64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64url')

// Just enough CBOR (RFC 8949) for a key and an attestation.
function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size])
  return size < 256 ? Buffer.from([(type << 5) | 24, size]) : Buffer.from([(type << 5) | 25, size >> 8, size & 255])
}
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()])

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

type Answering = {
  origin?: string
  rpId?: string
  /** The counter to send instead of the next one. */
  counter?: number
  isVerified?: boolean
}

/**
 * Returns an authenticator in software with one ES256 key. It also signs what the browser's virtual authenticator would
 * refuse: a wrong origin, an old counter, a user that was not verified.
 */
export function softwarePasskey({ counts = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const key = map([
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x, 'base64url'))],
    [number(-3), bytes(Buffer.from(y, 'base64url'))],
  ])
  let used = 0
  let handle = ''

  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authenticatorData = (rpId: string, flags: number, counter: number, key = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, key])
  }
  const common = { id: b64(id), rawId: b64(id), type: 'public-key', clientExtensionResults: {} } as const

  return {
    id: b64(id),
    /** The public key as it is stored. */
    publicKey: b64(key),
    create(options: NewPasskeyRequest, { origin = 'http://localhost:3000', isVerified = true }: Answering = {}) {
      handle = options.user.id
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const flags = PRESENT | HAS_KEY | (isVerified ? VERIFIED : 0)
      const authData = authenticatorData(options.rp.id ?? '', flags, used, attested)
      const attestation = map([
        [text('fmt'), text('none')],
        [text('attStmt'), map([])],
        [text('authData'), bytes(authData)],
      ])
      const response = {
        clientDataJSON: b64(clientData('webauthn.create', options.challenge, origin)),
        attestationObject: b64(attestation),
        transports: ['internal'],
      }
      return { ...common, response } satisfies NewPasskeyAnswer
    },
    get(options: PasskeyRequest, answering: Answering = {}) {
      const { origin = 'http://localhost:3000', rpId = options.rpId ?? '', isVerified = true } = answering
      if (counts) used += 1
      const data = authenticatorData(rpId, PRESENT | (isVerified ? VERIFIED : 0), answering.counter ?? used)
      const client = clientData('webauthn.get', options.challenge, origin)
      const response = {
        clientDataJSON: b64(client),
        authenticatorData: b64(data),
        signature: b64(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        // A passkey that was not made by create() has no handle.
        ...(handle ? { userHandle: handle } : {}),
      }
      return { ...common, response } satisfies PasskeyAnswer
    },
  }
}
