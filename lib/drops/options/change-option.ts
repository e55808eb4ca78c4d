import 'server-only'
import type { Context } from '@/lib/infra/context'
import { changeValues } from './change-values'
import type { LockedDrop } from '../guards'
import { keyTexts } from '../keys/key-messages'
import { dropError } from '../messages'
import { optionTexts } from './option-messages'
import type { TypedValue } from './option-rules'

/**
 * Adds an option to a scheduled drop, renames its option or removes it (docs/product.md#options), in the caller's
 * transaction. Call it with the drop's row locked, and only before the drop's start.
 * @param fields.optionName the new name, or null to remove the option
 * @param fields.quantity the units of a drop whose option is removed, or the cap of an open edition. By default they
 *   stay the same.
 * @returns the changes that the caller writes to the drop's row
 * @throws OPTIONS_REFUSED, and the errors of changeValues()
 */
export async function changeOption(
  tx: Context,
  drop: LockedDrop,
  {
    optionName,
    options,
    quantity,
  }: { optionName: string | null; options: TypedValue[] | undefined; quantity: number | undefined },
): Promise<{ optionName: string | null; quantity?: number }> {
  if (optionName === null) {
    if (options) throw dropError('OPTIONS_REFUSED', { text: optionTexts.nameMissing, field: 'optionName' })
    return { optionName, quantity: await changeValues(tx, drop, [], quantity ?? drop.quantity) }
  }
  if (drop.keysGiven !== null) throw dropError('OPTIONS_REFUSED', { text: keyTexts.noOption })
  const cap = drop.isOpenEdition ? (quantity ?? drop.quantity) : undefined
  if (options) return { optionName, quantity: await changeValues(tx, { ...drop, optionName }, options, cap) }
  if (drop.optionName === null) throw dropError('OPTIONS_REFUSED', { text: optionTexts.missing })
  return { optionName }
}
