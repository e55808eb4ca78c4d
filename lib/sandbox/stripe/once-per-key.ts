import 'server-only'
import { createHash } from 'node:crypto'
import type { Reply } from './call'
import { invalidRequest, StripeFault } from './stripe-fault'
import type { RawParams } from './params'
import type { Tx } from './store'

/** After this a key may be used again. */
const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000
const MAX_KEY_LENGTH = 255

export type KeyedRequest = { key: string; method: string; path: string; params: RawParams }
export type KeyedReply = Reply & { replayed: boolean }

type KeyRow = { requestHash: string; status: number; body: object; createdAt: Date }

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  )
}

function hashOf({ method, path, params }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, sorted(params)]))
    .digest('hex')
}

/** The stored answer of an earlier request under the same key; null when there is none. Throws StripeFault for other parameters. */
async function findEarlier(tx: Tx, request: KeyedRequest): Promise<KeyedReply | null> {
  const { key } = request
  const [earlier] = await tx.query<KeyRow>(
    `SELECT "requestHash", "status", "body", "createdAt" FROM "SandboxIdempotencyKey" WHERE "key" = $1`,
    [key],
  )
  if (!earlier || tx.now().getTime() - earlier.createdAt.getTime() >= KEY_LIFETIME_MS) return null
  if (earlier.requestHash === hashOf(request)) return { status: earlier.status, body: earlier.body, replayed: true }
  throw new StripeFault(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })
}

/** Runs the request. When it throws an error that is kept, rolls its writes back and returns the error as the answer. */
async function attempt(tx: Tx, run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await tx.undoable(run)
  } catch (error) {
    if (!(error instanceof StripeFault) || error.isValidation) throw error
    return { status: error.status, body: { error: error.body } }
  }
}

/**
 * Runs a request once per key. The answer is written in the request's own transaction, so that neither exists without the
 * other. As Stripe does (docs.stripe.com/api/idempotent_requests), an error is kept and repeated like any other answer,
 * except for invalid parameters; and a request whose key is in use by a running one is refused with 409. Throws StripeFault.
 */
export async function oncePerKey(tx: Tx, request: KeyedRequest, run: () => Promise<Reply>): Promise<KeyedReply> {
  const { key } = request
  if (key.length > MAX_KEY_LENGTH) throw invalidRequest('Idempotency keys can be up to 255 characters long.')
  const [lock] = await tx.query<{ isMine: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isMine"`,
    [`sandbox-stripe:${key}`],
  )
  // Read after the lock was asked for: the request that had it may have ended just before. Its answer is repeated without
  // the lock, so that many repetitions at once do not refuse each other.
  const known = await findEarlier(tx, request)
  if (known) return known
  if (!lock?.isMine) {
    throw new StripeFault(409, {
      type: 'invalid_request_error',
      code: 'idempotency_key_in_use',
      message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    })
  }
  const reply = await attempt(tx, run)
  tx.keep({ key, requestHash: hashOf(request), status: reply.status ?? 200, body: JSON.stringify(reply.body) })
  return { ...reply, replayed: false }
}
