import 'server-only'
import { createHash } from 'node:crypto'
import type { Reply } from './call'
import { invalidRequest, StripeFault } from './stripe-fault'
import type { RawParams } from './params'
import type { Tx } from './store'

/** After this time, a key may be used for another request. */
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

/**
 * Returns the stored response to an earlier request with the same key, or null if there is none. Throws StripeFault if
 * the method, the path or a parameter of the earlier request was different.
 */
async function findEarlier(tx: Tx, request: KeyedRequest): Promise<KeyedReply | null> {
  const { key } = request
  const [earlier] = await tx.query<KeyRow>(
    `SELECT "requestHash", "status", "body", "createdAt" FROM "SandboxIdempotencyKey" WHERE "key" = $1`,
    [key],
    'sandbox-kept-answer',
  )
  if (!earlier || tx.now().getTime() - earlier.createdAt.getTime() >= KEY_LIFETIME_MS) return null
  if (earlier.requestHash === hashOf(request)) return { status: earlier.status, body: earlier.body, replayed: true }
  throw new StripeFault(400, {
    type: 'idempotency_error',
    message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
  })
}

/**
 * Runs the request. If it throws a StripeFault, its writes are rolled back and the error becomes the response. Other
 * errors and faults about invalid parameters are thrown again, because no response is stored for them.
 */
async function attempt(tx: Tx, run: () => Promise<Reply>): Promise<Reply> {
  try {
    return await tx.undoable(run)
  } catch (error) {
    if (!(error instanceof StripeFault) || error.isValidation) throw error
    return { status: error.status, body: { error: error.body } }
  }
}

/**
 * Runs a request once per idempotency key. The changes of the request and its stored response are written in one
 * transaction, so neither exists without the other. As at Stripe (docs.stripe.com/api/idempotent_requests), errors are
 * stored and repeated like any other response, except errors about invalid parameters and unexpected errors. Throws
 * StripeFault, with status 409 if a running request uses the key.
 */
export async function oncePerKey(tx: Tx, request: KeyedRequest, run: () => Promise<Reply>): Promise<KeyedReply> {
  const { key } = request
  if (key.length > MAX_KEY_LENGTH) throw invalidRequest('Idempotency keys can be up to 255 characters long.')
  const [lock] = await tx.query<{ isMine: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS "isMine"`,
    [`sandbox-stripe:${key}`],
    'sandbox-lock-key',
  )
  // The key is read after the attempt to lock it, because a request that held the lock may just have ended. A stored
  // response is returned even without the lock, so that simultaneous retries are not refused.
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
