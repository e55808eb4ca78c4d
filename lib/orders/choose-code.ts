import 'server-only'
import { findCode, isCodeOfOtherDrop } from '@/lib/drops/code-queries'
import { codeKey, discountOf } from '@/lib/drops/code-rules'
import { codeState, type DiscountCodeRow } from '@/lib/drops/code-view'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit, usesOf } from '@/lib/infra/rate-limit'
import { AppError } from '@/lib/kernel/app-error'
import { cutText } from '@/lib/kernel/text'
import { codeProblemText, orderError } from './messages'
import type { Discount } from './view'

/** Enough for people who mistype, also for many behind one address, and too few to try all short codes. */
const wrongCodes: RateLimit = { name: 'wrong-code', points: 60, windowSeconds: 3600 }

type Where = Pick<Context, 'sql' | 'network'>

/**
 * The discount code that a buyer gave for a drop, whether or not it can still be used; null when none was given. Case and spaces
 * around it do not matter. A buyer who says nothing about a code, not even that there is none, keeps the one of the open checkout.
 * @throws CODE_UNKNOWN, CODE_OTHER_DROP, TOO_MANY_CODES
 */
export async function chooseCode(
  ctx: Where,
  drop: Pick<DropRow, 'id' | 'userId'>,
  typed: string | undefined,
  open: { isHeld: boolean; discountCode: string | null } | null = null,
): Promise<DiscountCodeRow | null> {
  if (typed === undefined && open?.isHeld && open.discountCode) return findCode(ctx, drop.id, open.discountCode)
  if (!typed?.trim()) return null
  if ((await usesOf(wrongCodes, ctx.network)) >= wrongCodes.points)
    throw orderError('TOO_MANY_CODES', { retryAfterSeconds: wrongCodes.windowSeconds })
  const key = codeKey(typed)
  const found = key === null ? null : await findCode(ctx, drop.id, key)
  if (found) return found
  await consume(wrongCodes, ctx.network)
  const shown = cutText(typed.trim(), 20)
  if (key !== null && (await isCodeOfOtherDrop(ctx, drop, key))) {
    throw orderError('CODE_OTHER_DROP', { text: codeProblemText(shown, 'otherDrop') })
  }
  throw orderError('CODE_UNKNOWN', { text: codeProblemText(shown, 'unknown') })
}

/**
 * Refuses a code that its seller ended, whose time is over, or that was used as often as it can be, judged by the code as it was
 * read. The statement that takes the units decides. The buyer's own open checkout gives its use back before the next one begins.
 * @throws CODE_ENDED, CODE_USED_UP
 */
export function assertRedeemable(
  code: DiscountCodeRow | null,
  open: { isHeld: boolean; codeId: number | null } | null = null,
): void {
  if (!code) return
  const own = open?.isHeld && open.codeId === code.id ? 1 : 0
  const state = codeState({ ...code, used: code.used - own })
  if (state === 'usedUp') throw orderError('CODE_USED_UP', { text: codeProblemText(code.code, 'usedUp') })
  if (state !== 'active') throw orderError('CODE_ENDED', { text: codeProblemText(code.code, 'ended') })
}

/**
 * What the code in the address of the payment page on our own site takes off one unit, or why it cannot be used. Nothing is held
 * yet, and a buyer whose checkout is open keeps a code that has ended since, so only what is never right is refused here.
 */
export async function priceCode(
  ctx: Where,
  drop: Pick<DropRow, 'id' | 'userId' | 'priceCents'>,
  typed: string,
): Promise<Discount | { problem: string } | null> {
  try {
    const code = await chooseCode(ctx, drop, typed)
    return code ? { code: code.code, cents: discountOf(drop.priceCents, code) } : null
  } catch (error) {
    if (error instanceof AppError) return { problem: error.message }
    throw error
  }
}
