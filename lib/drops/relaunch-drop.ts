import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { planRules } from '@/lib/plans/rules'
import { addKeys, countFreeKeys } from './keys/add-keys'
import { assertFreeSlot, type LockedDrop, lockOwnDrop, lockSeller, readLockedValues } from './guards'
import { keyTexts, tooFewKeysText } from './keys/key-messages'
import { launchRun } from './launch-run'
import { dropError, planHint } from './messages'
import { nextValues } from './options/next-values'
import { optionTexts } from './options/option-messages'
import { sumOfUnits } from './options/option-rules'
import { getSellerDrop } from './queries'
import { isOver, nextQuantity, relaunchAt, relaunchText } from './rules'
import type { RelaunchInput } from './schema'
import type { DropRow } from './view'

/**
 * Makes an ended drop live again on the same link, from 24 hours after its end (docs/product.md#relaunching). The plan
 * and its limit are checked under a lock on the seller's row, and the drop's state under a lock on the drop's row. Of
 * several simultaneous requests only one succeeds.
 * @throws SUSPENDED, NOT_FOUND, OPEN_NO_SECOND_RUN, STILL_LIVE, TOO_EARLY, TAKEN_DOWN, PLAN_REQUIRED, LIMIT_REACHED,
 *   NOTHING_LEFT, QUANTITY_TAKEN, KEYS_REFUSED, KEYS_TOO_FEW, OPTIONS_REFUSED, OPTION_TAKEN
 */
export async function relaunchDrop(
  ctx: Context<UserActor>,
  input: RelaunchInput & { dropId: number },
): Promise<DropRow> {
  const sellerId = ctx.actor.userId
  await transaction(ctx, async (tx) => {
    const seller = await lockSeller(tx, sellerId)
    if (!seller || seller.isSuspended) throw platformError('SUSPENDED')
    const drop = await lockOwnDrop(tx, { dropId: input.dropId, sellerId })
    if (drop.isOpenEdition) throw dropError('OPEN_NO_SECOND_RUN')
    if (!isOver(drop, drop.now)) throw dropError('STILL_LIVE')
    if (relaunchAt(drop.endTime) > drop.now) {
      throw dropError('TOO_EARLY', { text: `${relaunchText(drop.endTime, drop.now)}.` })
    }
    if (drop.moderation !== 'allowed') throw dropError('TAKEN_DOWN')
    if (!planRules(seller).productTypes.includes(drop.productType)) {
      throw dropError('PLAN_REQUIRED', { text: planHint(drop.productType) })
    }
    await assertFreeSlot(tx, seller)
    const values = nextValues(drop, await readLockedValues(tx, drop.id), input.options)
    if (values.length > 0 && input.quantity !== undefined) {
      throw dropError('OPTIONS_REFUSED', { text: optionTexts.sumOfValues, field: 'quantity' })
    }
    const keysLeft = await refillKeys(tx, drop, input)
    const quantity = values.length > 0 ? sumOfUnits(values) : (input.quantity ?? nextQuantity({ ...drop, keysLeft }))
    if (keysLeft !== null && (keysLeft === 0 || quantity > keysLeft)) {
      throw dropError('KEYS_TOO_FEW', { text: tooFewKeysText(keysLeft), field: keysLeft === 0 ? 'keys' : 'quantity' })
    }
    if (quantity <= 0) throw dropError('NOTHING_LEFT')
    if (quantity < drop.held) throw dropError('QUANTITY_TAKEN')
    await launchRun(tx, drop, { duration: input.duration, quantity, values, isAutoRenew: false })
  })
  return getSellerDrop(ctx, input.dropId, sellerId)
}

/**
 * Adds the keys of a relaunch and returns how many keys the new run can use; null for a drop without keys.
 * @throws KEYS_REFUSED
 */
async function refillKeys(tx: Context, drop: LockedDrop, { keys }: RelaunchInput): Promise<number | null> {
  if (drop.keysGiven === null) {
    if (keys) throw dropError('KEYS_REFUSED', { text: keyTexts.noKeys })
    return null
  }
  if (keys) await addKeys(tx, drop.id, keys)
  return countFreeKeys(tx, drop.id)
}
