import 'server-only'
import { randomInt } from 'node:crypto'
import type { Context } from '@/lib/infra/context'
import { isSameSecret, keyedHash, sha256 } from '@/lib/infra/crypto'
import { countUse, usesOf } from '@/lib/infra/rate-limit'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { waitFor } from '@/lib/stock/rules'

/** The drop, number of units, network and browser for which a token is valid. */
export type WorkFor = { dropId: number; quantity: number; originKey: string; buyerKey: string }

/**
 * The content of a token. A token with `challenge` requires a proof of work like that of ALTCHA. The proof is the
 * number up to `work` for which SHA-256 of "id.number" equals the challenge. A token with `from` only has to be sent
 * back, at that time or later. `until` and `from` are in milliseconds since 1970.
 */
type Token = { id: string; work: number; until: number; challenge?: string; from?: number }

/** How long a browser may take to answer. It needs only a fraction of this time. */
const ANSWER_MS = 5 * MINUTE_MS
/**
 * The counters for `wait` tokens. Each further token of a network becomes valid later, so that many tokens are worth no
 * more than one. The wait of every new token of a drop also grows with every ten networks that request tokens for this
 * drop. Waiting costs a machine nothing, so a machine with a thousand addresses could otherwise get any number of
 * units. A network counts once, however often it requests a token.
 */
const tickets = { name: 'hold-tickets', points: 1_000_000, windowSeconds: 600 }
const dropTickets = { name: 'hold-ticket-networks', points: 1_000_000, windowSeconds: 600 }
const NETWORKS_PER_STEP = 10
const MAX_WAIT_SECONDS = 600

function sign(payload: string, { dropId, quantity, originKey, buyerKey }: WorkFor): string {
  return keyedHash('hold-work', `${payload} ${dropId} ${quantity} ${originKey} ${buyerKey}`).slice(0, 40)
}

/**
 * Creates the token that a browser has to answer before it gets a hold (docs/product.md#when-many-buy-at-once).
 * @param kind `wait` is for browsers without JavaScript, which cannot compute a proof of work.
 */
export async function issueWorkToken(
  ctx: Context,
  who: WorkFor,
  { work, kind }: { work: number; kind: 'work' | 'wait' },
): Promise<string> {
  const id = newSecret().slice(0, 22)
  const now = ctx.clock.now().getTime()
  let token: Token = { id, work, until: now + ANSWER_MS, challenge: sha256(`${id}.${randomInt(work + 1)}`) }
  if (kind === 'wait') {
    const own = await countUse(tickets, `${who.dropId} ${who.originKey}`)
    const networks = await (own === 1 ? countUse : usesOf)(dropTickets, String(who.dropId))
    const seconds = Math.min(MAX_WAIT_SECONDS, waitFor(work) * Math.max(own, Math.ceil(networks / NETWORKS_PER_STEP)))
    token = { id, work, from: now + seconds * SECOND_MS, until: now + seconds * SECOND_MS + ANSWER_MS }
  }
  const payload = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${payload}.${sign(payload, who)}`
}

/** A checked token. `waitMs` is the time that its browser still has to wait, or 0 when it may get a hold. */
export type CheckedWork = { id: string; work: number; waitMs: number }

/**
 * Checks the answer of a browser, which is the token and, if it has a challenge, the number that solves the challenge.
 * Each id may be used for one hold only. The statement that takes the units checks this.
 * @returns null when the answer is invalid, for example because it is too old or the token belongs to another browser
 */
export function checkWork(ctx: Context, given: string | undefined, who: WorkFor): CheckedWork | null {
  const [payload = '', signature = '', number = ''] = (given ?? '').split('.')
  if (!payload || !isSameSecret(signature, sign(payload, who))) return null
  const { id, work, until, challenge, from } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Token
  const now = ctx.clock.now().getTime()
  if (until < now) return null
  if (challenge !== undefined) return sha256(`${id}.${number}`) === challenge ? { id, work, waitMs: 0 } : null
  return { id, work, waitMs: Math.max(0, (from ?? 0) - now) }
}
