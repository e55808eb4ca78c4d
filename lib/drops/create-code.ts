import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { belowLeastText, codeTexts } from './code-messages'
import { findCode, listCodes } from './code-queries'
import { highestDiscount, isChargeable, MAX_CODES } from './code-rules'
import type { CreateCodeInput } from './code-schema'
import { codeState, type DiscountCodeRow } from './code-view'
import { lockOwnDrop } from './guards'
import { dropError } from './messages'

/**
 * Gives a drop a discount code (docs/product.md#discount-codes). Nothing of it can change later, because buyers were promised
 * it; it can only be ended. Drop and codes are checked under a lock on the drop's row.
 * @throws NOT_FOUND, ENDED, TOO_MANY_CODES, CODE_TAKEN, CODE_TOO_LARGE, CODE_ENDS_IN_PAST
 */
export async function createCode(
  ctx: Context<UserActor>,
  { dropId, ...input }: CreateCodeInput & { dropId: number },
): Promise<DiscountCodeRow> {
  try {
    return await transaction(ctx, async (tx) => {
      const drop = await lockOwnDrop(tx, { dropId, sellerId: ctx.actor.userId })
      if (drop.archivedAt !== null || drop.endTime <= drop.now) throw dropError('ENDED')
      const isCurrent = { endedAt: null, OR: [{ endsAt: null }, { endsAt: { gt: drop.now } }] }
      const current = await tx.db.discountCode.count({ where: { dropId, ...isCurrent } })
      if (current >= MAX_CODES) throw dropError('TOO_MANY_CODES')
      assertChargeable(drop.priceCents, input)
      const endsAt = input.endsAt === null ? null : new Date(input.endsAt)
      if (endsAt !== null && endsAt <= drop.now) throw dropError('CODE_ENDS_IN_PAST')
      if (endsAt !== null && endsAt <= drop.startedAt)
        throw dropError('CODE_ENDS_IN_PAST', { text: codeTexts.endsBeforeStart })
      await tx.db.discountCode.create({ data: { dropId, ...input, endsAt } })
      await touch(tx, dropId, drop.now)
      return (await findCode(tx, dropId, input.code))!
    })
  } catch (error) {
    if (uniqueViolation(error)?.includes('code')) throw dropError('CODE_TAKEN')
    throw error
  }
}

/** The drop's page says that it takes codes, so whoever keeps the page has to hear of the change. */
export async function touch(tx: Pick<Context, 'db'>, dropId: number, updatedAt: Date): Promise<void> {
  await tx.db.drop.update({ where: { id: dropId }, data: { updatedAt } })
}

/**
 * Refuses a price that, less one of the drop's codes, no card could pay. Until a scheduled drop starts its price may change; call it
 * with the drop's row locked.
 * @throws PRICE_BELOW_CODE
 */
export async function assertCodesFit(tx: Pick<Context, 'sql'>, dropId: number, priceCents: number): Promise<void> {
  const codes = await listCodes(tx, dropId)
  const isTooLow = (code: DiscountCodeRow) =>
    !['ended', 'over'].includes(codeState(code)) && !isChargeable(priceCents, code)
  if (codes.some(isTooLow)) throw dropError('PRICE_BELOW_CODE')
}

function assertChargeable(priceCents: number, { percent, offCents }: CreateCodeInput): void {
  const highest = highestDiscount(priceCents)
  const field = percent === null ? 'offCents' : 'percent'
  if (!highest) throw dropError('CODE_TOO_LARGE', { text: codeTexts.tooCheap, field })
  if (isChargeable(priceCents, { percent, offCents })) return
  throw dropError('CODE_TOO_LARGE', { text: belowLeastText(highest, field), field })
}
