import 'server-only'
import { findCode, isCodeOfOtherDrop } from '@/lib/drops/code-queries'
import { codeKey, discountOf, isChargeable } from '@/lib/drops/code-rules'
import { codeState, type DiscountCodeRow } from '@/lib/drops/code-view'
import { buyerKeyOf } from '@/lib/drops/count-tap'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { consume, giveBack, type RateLimit } from '@/lib/infra/rate-limit'
import { AppError } from '@/lib/kernel/app-error'
import { cutText } from '@/lib/kernel/text'
import { codeProblemText, orderError } from './messages'
import { originOf } from './origin-of'
import { findBuyersCheckout, type OpenCheckout } from './queries'
import type { Discount } from './view'

/** Enough for people who mistype, also for many behind one address, and too few to try all short codes. */
const wrongCodes: RateLimit = { name: 'wrong-code', points: 60, windowSeconds: 3600 }
/** The same for codes in links on other sites. Such a site can open any number of them, and must not use up the tries of its visitors. */
const wrongLinks: RateLimit = { ...wrongCodes, name: 'wrong-code-link' }

type Where = Pick<Context, 'sql' | 'network' | 'isUnknownProxy'>

type GivenCode = {
  /** As it was typed or as it is in the link; empty for none, left out by a buyer who says nothing about a code. */
  typed: string | undefined
  buyerKey: string
  /** Whether another site led here. */
  isFromOtherSite?: boolean
}

/**
 * The discount code that a buyer gave for a drop, whether or not it can still be used; null when none was given. Case and spaces
 * around it do not matter. A buyer who says nothing about a code, not even that there is none, keeps the one of their own checkout.
 * @param own this buyer's checkout that is open, gave its units back, or was left unanswered by Stripe
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
  // Counted first and given back when the code is right: of many tries at once no more than the limit are answered.
  const limit = isFromOtherSite ? wrongLinks : wrongCodes
  const origin = originOf(ctx, buyerKey)
  const retryAfterSeconds = await consume(limit, origin)
  if (retryAfterSeconds !== null) throw orderError('TOO_MANY_CODES', { retryAfterSeconds })
  const found = key === null ? null : await findCode(ctx, drop.id, key)
  if (found) {
    await giveBack(limit, origin)
    return found
  }
  const shown = cutText(typed.trim(), 20)
  if (key !== null && (await isCodeOfOtherDrop(ctx, drop, key))) {
    throw orderError('CODE_OTHER_DROP', { text: codeProblemText(shown, 'otherDrop') })
  }
  throw orderError('CODE_UNKNOWN', { text: codeProblemText(shown, 'unknown') })
}

/**
 * Refuses a code that its seller ended, whose time is over, that leaves too little of the price, or that was used as often as it
 * can be, judged by the code as it was read. The statement that takes the units decides. The buyer's own open checkout gives its use
 * back before the next one begins.
 * @throws CODE_ENDED, CODE_USED_UP
 */
export async function assertRedeemable(
  ctx: Pick<Context, 'sql'>,
  code: DiscountCodeRow | null,
  open: Pick<OpenCheckout, 'isHeld' | 'codeId'> | null = null,
): Promise<void> {
  if (!code) return
  const own = open?.isHeld && open.codeId === code.id ? 1 : 0
  const state = codeState({ ...code, used: code.used - own })
  if (state === 'ended' || state === 'over')
    throw orderError('CODE_ENDED', { text: codeProblemText(code.code, 'ended') })
  if (!isChargeable(code.priceCents, code))
    throw orderError('CODE_ENDED', { text: codeProblemText(code.code, 'tooLarge') })
  await assertUseLeft(ctx, { ...code, used: code.used - own })
}

/**
 * Refuses a code that was used as often as it can be, also one that has ended: who is paying with it already may go on.
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
  throw orderError('CODE_USED_UP', { text: codeProblemText(code.code, problem) })
}

/**
 * What the code in the address of the payment page on our own site takes off one unit, or why it cannot be used. Nothing is held
 * yet, and a buyer whose checkout is open keeps a code that has ended since, so only what is never right is refused here.
 * @param given.buyerToken null for a browser that has not pressed Buy yet
 */
export async function priceCode(
  ctx: Where & Pick<Context, 'db'>,
  drop: Pick<DropRow, 'id' | 'userId' | 'priceCents'>,
  given: { typed: string; buyerToken: string | null; isFromOtherSite: boolean },
): Promise<Discount | { problem: string } | null> {
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
