import 'server-only'
import { randomInt } from 'node:crypto'
import type { Context } from '@/lib/infra/context'
import { isSameSecret, keyedHash, sha256 } from '@/lib/infra/crypto'
import { countUse, usesOf } from '@/lib/infra/rate-limit'
import { newSecret } from '@/lib/kernel/id'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { waitFor } from '@/lib/stock/rules'

/** Who may use a token, and for what: one browser, from one network, at one drop. */
export type WorkFor = { dropId: number; originKey: string; buyerKey: string }

/**
 * What a token says. With `challenge` it asks for a proof of work, as ALTCHA does: the number up to `work` for which
 * SHA-256 of "id.number" is the challenge. With `from` it only has to be sent back, and not before that time.
 */
type Token = { id: string; work: number; until: number; challenge?: string; from?: number }

/** How long the answer may take; a browser gets it done in a fraction of that. */
const ANSWER_MS = 5 * MINUTE_MS
/**
 * Each further `wait` token of one network becomes valid later, so that many at once are worth no more than one. All tokens
 * also wait longer for each ten networks that ask at a drop: a wait costs a machine nothing, and with
 * a thousand addresses it would otherwise get as many units as it likes. A network counts once, however often it asks.
 */
const tickets = { name: 'hold-tickets', points: 1_000_000, windowSeconds: 600 }
const dropTickets = { name: 'hold-ticket-networks', points: 1_000_000, windowSeconds: 600 }
const NETWORKS_PER_STEP = 10
const MOST_WAIT_SECONDS = 600

function sign(payload: string, { dropId, originKey, buyerKey }: WorkFor): string {
  return keyedHash('hold-work', `${payload} ${dropId} ${originKey} ${buyerKey}`).slice(0, 40)
}

/**
 * Makes the token that a browser has to answer before it gets a hold (docs/product.md#when-many-buy-at-once).
 * @param kind `wait` is for browsers without JavaScript, which cannot work.
 */
export async function askForWork(
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
    const seconds = Math.min(MOST_WAIT_SECONDS, waitFor(work) * Math.max(own, Math.ceil(networks / NETWORKS_PER_STEP)))
    token = { id, work, from: now + seconds * SECOND_MS, until: now + seconds * SECOND_MS + ANSWER_MS }
  }
  const payload = Buffer.from(JSON.stringify(token)).toString('base64url')
  return `${payload}.${sign(payload, who)}`
}

/** Work that is done, or how long the browser with this token still has to wait. */
export type CheckedWork = { id: string; work: number; waitMs: number }

/**
 * Checks what a browser sent back: a token, and with a challenge the number that answers it. The id is good for one hold;
 * the statement that takes the units decides that.
 * @returns null when it proves nothing, for example because it is too old or was made for another browser.
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
