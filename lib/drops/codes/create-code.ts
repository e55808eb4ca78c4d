import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { UserActor } from '@/lib/kernel/actor'
import { belowLeastText, codeTexts, endsBeforeStartText } from './code-messages'
import { findCode, listCodes } from './code-queries'
import { highestDiscount, isChargeable, MAX_CODES, MAX_CODES_EVER } from './code-rules'
import type { CreateCodeInput } from './code-schema'
import { codeState, type DiscountCodeRow } from './code-view'
import { lockOwnDrop } from '../guards'
import { dropError } from '../messages'
import { isOver } from '../rules'

/**
 * Creates a discount code for a drop (docs/product.md#discount-codes). A code can be ended but never changed, because
 * buyers were promised its discount. The drop and its codes are checked under a lock on the drop's row.
 * @throws NOT_FOUND, ENDED, TOO_MANY_CODES, CODE_TAKEN, CODE_TOO_LARGE, CODE_ENDS_IN_PAST
 */
export async function createCode(
  ctx: Context<UserActor>,
  { dropId, ...input }: CreateCodeInput & { dropId: number },
): Promise<DiscountCodeRow> {
  try {
    return await transaction(ctx, async (tx) => {
      const drop = await lockOwnDrop(tx, { dropId, sellerId: ctx.actor.userId })
      if (isOver(drop, drop.now)) throw dropError('ENDED')
      const isCurrent = { endedAt: null, OR: [{ endsAt: null }, { endsAt: { gt: drop.now } }] }
      const current = await tx.db.discountCode.count({ where: { dropId, ...isCurrent } })
      if (current >= MAX_CODES) throw dropError('TOO_MANY_CODES')
      // Ended codes stay, because orders refer to them, and every query of the drop reads them.
      const all = await tx.db.discountCode.count({ where: { dropId } })
      if (all >= MAX_CODES_EVER) throw dropError('TOO_MANY_CODES', { text: codeTexts.tooManyEver })
      assertChargeable(drop.priceCents, input)
      const endsAt = input.endsAt === null ? null : new Date(input.endsAt)
      if (endsAt !== null && endsAt <= drop.now) throw dropError('CODE_ENDS_IN_PAST')
      if (endsAt !== null && endsAt <= drop.startedAt)
        throw dropError('CODE_ENDS_IN_PAST', { text: codeTexts.endsBeforeStart })
      await tx.db.discountCode.create({ data: { dropId, ...input, endsAt } })
      await setChangedAt(tx, dropId, drop.now)
      return (await findCode(tx, dropId, input.code))!
    })
  } catch (error) {
    if (uniqueViolation(error)?.includes('code')) throw dropError('CODE_TAKEN')
    throw error
  }
}

/**
 * Sets the time of a drop's last change. The drop's page shows whether the drop accepts codes, so a new or ended code
 * counts as a change of the page.
 */
export async function setChangedAt(tx: Pick<Context, 'db'>, dropId: number, updatedAt: Date): Promise<void> {
  await tx.db.drop.update({ where: { id: dropId }, data: { updatedAt } })
}

/**
 * Throws when the new price, less the discount of one of the drop's current codes, would be too low to charge. Only a
 * check with the drop's row locked is final, because otherwise a new code may be created in the meantime.
 * @throws PRICE_BELOW_CODE
 */
export async function assertCodesFit(tx: Pick<Context, 'sql'>, dropId: number, priceCents: number): Promise<void> {
  const codes = await listCodes(tx, dropId)
  const isTooLow = (code: DiscountCodeRow) =>
    !['ended', 'over'].includes(codeState(code)) && !isChargeable(priceCents, code)
  if (codes.some(isTooLow)) throw dropError('PRICE_BELOW_CODE')
}

/**
 * Throws when one of the drop's current codes ends before the new start, so that nobody could use it. Only a check with
 * the drop's row locked is final.
 * @throws CODE_ENDS_BEFORE_START
 */
export async function assertCodesOutlast(tx: Pick<Context, 'sql'>, dropId: number, startedAt: Date): Promise<void> {
  const isDead = (code: DiscountCodeRow) =>
    !['ended', 'over'].includes(codeState(code)) && code.endsAt !== null && code.endsAt <= startedAt
  const dead = (await listCodes(tx, dropId)).find(isDead)
  if (dead) throw dropError('CODE_ENDS_BEFORE_START', { text: endsBeforeStartText(dead.code) })
}

function assertChargeable(priceCents: number, { percent, offCents }: CreateCodeInput): void {
  const highest = highestDiscount(priceCents)
  const field = percent === null ? 'offCents' : 'percent'
  if (!highest) throw dropError('CODE_TOO_LARGE', { text: codeTexts.tooCheap, field })
  if (isChargeable(priceCents, { percent, offCents })) return
  throw dropError('CODE_TOO_LARGE', { text: belowLeastText(highest, field), field })
}
