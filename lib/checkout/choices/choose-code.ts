import 'server-only'
import { findCode, isCodeOfOtherDrop } from '@/lib/drops/codes/code-queries'
import { codeKey, discountOf, isChargeable } from '@/lib/drops/codes/code-rules'
import { codeState, type DiscountCodeRow } from '@/lib/drops/codes/code-view'
import { buyerKeyOf } from './count-tap'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { consumeForNetwork, giveBackToNetwork } from '@/lib/infra/network-limit'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { AppError } from '@/lib/kernel/app-error'
import { cutText } from '@/lib/kernel/text'
import { codeProblemText } from './code-messages'
import { checkoutError } from '../messages'
import { originOf } from '../hold/origin-of'
import { findBuyersCheckout, type OpenCheckout } from '../queries'
import type { OrderDiscount } from '@/lib/orders/view'

/**
 * This limit is high enough for many people behind one network address who mistype a code, and too low for trying all
 * short codes.
 */
const wrongCodes: RateLimit = { name: 'wrong-code', points: 60, windowSeconds: 3600 }
/**
 * The limit for codes in links on other sites. Another site can open any number of links in a visitor's browser, and
 * must not use up the attempts that the visitor has for typed codes.
 */
const wrongLinks: RateLimit = { ...wrongCodes, name: 'wrong-code-link' }

type Where = Pick<Context, 'sql' | 'ip' | 'network' | 'isUnknownProxy'>

type GivenCode = {
  /**
   * The code from the form or the link. An empty string means no code, and undefined keeps the code of the open
   * checkout.
   */
  typed: string | undefined
  buyerKey: string
  /** Whether the buyer came from a link on another site. */
  isFromOtherSite?: boolean
}

/**
 * Counts wrong codes by network, and for IPv6 also by the customer to whom the network belongs. Behind an unknown proxy
 * all buyers have one network address, so the limit counts browsers instead.
 */
function attemptsOf(ctx: Where, limit: RateLimit, buyerKey: string) {
  if (!ctx.isUnknownProxy) {
    return { consume: () => consumeForNetwork(limit, ctx), giveBack: () => giveBackToNetwork(limit, ctx) }
  }
  const origin = originOf(ctx, buyerKey)
  return { consume: () => consume(limit, origin), giveBack: () => giveBack(limit, origin) }
}

/**
 * Returns the discount code that a buyer gave for a drop, whether or not it can still be used, or null when the buyer
 * gave none. Case and surrounding spaces do not matter. When `typed` is undefined, the code of the buyer's own checkout
 * is kept.
 * @param own the buyer's checkout that is open, was yielded, or got no response from Stripe
 * @throws CODE_UNKNOWN, CODE_OTHER_DROP, TOO_MANY_CODES
 */
export async function chooseCode(
  ctx: Where,
  drop: Pick<DropRow, 'id' | 'userId'>,
  { typed, buyerKey, isFromOtherSite = false }: GivenCode,
  own: { discountCode: string | null } | null,
): Promise<DiscountCodeRow | null> {
  const kept = own?.discountCode ?? null
  if (typed === undefined) return kept === null ? null : findCode(ctx, drop.id, kept)
  if (!typed.trim()) return null
  const key = codeKey(typed)
  if (key !== null && key === kept) return findCode(ctx, drop.id, key)
  // The attempt is counted before the lookup, and given back when the code exists. Concurrent attempts therefore cannot
  // exceed the limit.
  const limit = isFromOtherSite ? wrongLinks : wrongCodes
  const attempts = attemptsOf(ctx, limit, buyerKey)
  const retryAfterSeconds = await attempts.consume()
  if (retryAfterSeconds !== null) throw checkoutError('TOO_MANY_CODES', { retryAfterSeconds })
  const found = key === null ? null : await findCode(ctx, drop.id, key)
  if (found) {
    await attempts.giveBack()
    return found
  }
  const shown = cutText(typed.trim(), 20)
  if (key !== null && (await isCodeOfOtherDrop(ctx, drop, key))) {
    throw checkoutError('CODE_OTHER_DROP', { text: codeProblemText(shown, 'otherDrop') })
  }
  throw checkoutError('CODE_UNKNOWN')
}

/**
 * Refuses a code that its seller has ended, that has expired, that leaves too little of the price, or that has no use
 * left. The code may have changed since it was read, so the statement that takes the units checks it again. A use by
 * the buyer's own open checkout does not count, because that checkout ends before the next one begins.
 * @throws CODE_ENDED, CODE_USED_UP
 */
export async function assertRedeemable(
  ctx: Pick<Context, 'sql'>,
  code: DiscountCodeRow | null,
  open: Pick<OpenCheckout, 'isHeld' | 'codeId'> | null = null,
): Promise<void> {
  if (!code) return
  const ownUses = open?.isHeld && open.codeId === code.id ? 1 : 0
  const state = codeState({ ...code, used: code.used - ownUses })
  if (state === 'ended' || state === 'over')
    throw checkoutError('CODE_ENDED', { text: codeProblemText(code.code, 'ended') })
  if (!isChargeable(code.priceCents, code))
    throw checkoutError('CODE_ENDED', { text: codeProblemText(code.code, 'tooLarge') })
  await assertUseLeft(ctx, { ...code, used: code.used - ownUses })
}

/**
 * Refuses a code that has no use left. A code that has ended is not refused here, because a buyer who is already paying
 * with it may continue.
 * @throws CODE_USED_UP, with a text that says whether a use may become free
 */
export async function assertUseLeft({ sql }: Pick<Context, 'sql'>, code: DiscountCodeRow | null): Promise<void> {
  if (!code || code.maxUses === null || code.used < code.maxUses) return
  const open = await sql<{ id: string }>(
    'open-uses-of-code',
    `SELECT h."id" FROM "Hold" h JOIN "DiscountCode" c ON c."id" = h."codeId"
      WHERE c."id" = :codeId AND h."dropId" = c."dropId" AND h."state" = 'held' LIMIT 1`,
    { codeId: code.id },
  )
  const problem = open.length > 0 ? 'inCheckout' : 'usedUp'
  throw checkoutError('CODE_USED_UP', { text: codeProblemText(code.code, problem) })
}

/**
 * Returns the discount per unit for the code in the URL of our own payment page, the reason why the code cannot be
 * used, or null when the URL has no code. No unit is held yet. A buyer with an open checkout keeps a code that has
 * ended since. So the problems found here are only an unknown code, a code of another drop, a code that leaves too
 * little of the price, and too many wrong attempts.
 * @param given.buyerToken null for a browser in which nobody has pressed Buy yet
 */
export async function priceCode(
  ctx: Where & Pick<Context, 'db'>,
  drop: Pick<DropRow, 'id' | 'userId' | 'priceCents'>,
  given: { typed: string; buyerToken: string | null; isFromOtherSite: boolean },
): Promise<OrderDiscount | { problem: string } | null> {
  if (!given.typed.trim()) return null
  try {
    const buyerKey = given.buyerToken === null ? '' : buyerKeyOf(given.buyerToken)
    const { open } = buyerKey ? await findBuyersCheckout(ctx, drop.id, buyerKey) : { open: null }
    const code = await chooseCode(ctx, drop, { ...given, buyerKey }, open)
    if (!code) return null
    if (!isChargeable(drop.priceCents, code)) return { problem: codeProblemText(code.code, 'tooLarge') }
    return { code: code.code, cents: discountOf(drop.priceCents, code) }
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message }
    throw error
  }
}
