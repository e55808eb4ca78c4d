import 'server-only'
import { optionKey } from '@/lib/drops/options/option-rules'
import type { DropRow } from '@/lib/drops/view'
import { AppError } from '@/lib/kernel/app-error'
import { freeUnits, unsoldUnits } from '@/lib/stock/rules'
import { chooseOptionText, unknownValueText, valueTexts } from './option-messages'
import { checkoutError } from '../messages'

type WithOption = Pick<DropRow, 'option' | 'isOpenEdition'>

/**
 * Returns the id of the value that a buyer chose, or null for a drop without options. Case and extra spaces do not
 * matter. A buyer who chooses no value but holds units of this drop gets the value of that hold.
 * @throws NO_OPTIONS, OPTION_MISSING, OPTION_UNKNOWN
 */
export function chooseValue(
  { option }: Pick<DropRow, 'option'>,
  selected: Record<string, string> = {},
  open: { isHeld: boolean; valueId: number | null } | null = null,
): number | null {
  const chosen = Object.entries(selected)
  if (!option) {
    if (chosen.length > 0) throw checkoutError('NO_OPTIONS')
    return null
  }
  const other = chosen.find(([name]) => optionKey(name) !== optionKey(option.name)) ?? chosen[1]
  if (other) throw checkoutError('OPTION_UNKNOWN', { text: unknownValueText(other[0], option.name) })
  const [, value = ''] = chosen[0] ?? []
  if (optionKey(value) === '') {
    if (open?.isHeld && open.valueId !== null) return open.valueId
    throw checkoutError('OPTION_MISSING', { text: chooseOptionText(option.name) })
  }
  const known = option.values.find((candidate) => optionKey(candidate.value) === optionKey(value))
  if (!known) throw checkoutError('OPTION_UNKNOWN', { text: unknownValueText(value, option.name) })
  return known.id
}

/**
 * Returns the error for a value that has too few free units, or null when it has enough, according to the drop that was
 * read. The values of an open edition have no stock of their own.
 */
export function whyNotValue(
  { option, isOpenEdition }: WithOption,
  quantity: number,
  valueId: number | null,
): AppError | null {
  if (!option) return null
  const value = option.values.find(({ id }) => id === valueId)
  // The seller has removed the value in the meantime.
  if (!value) return checkoutError('OPTION_MISSING', { text: chooseOptionText(option.name) })
  if (isOpenEdition) return null
  const texts = valueTexts(value.value)
  if (unsoldUnits(value) === 0) return checkoutError('OPTION_SOLD_OUT', { text: texts.soldOut })
  const free = freeUnits(value)
  if (free >= quantity) return null
  if (free === 0) return checkoutError('OPTION_IN_CHECKOUT', { text: texts.inCheckout })
  return checkoutError('NOT_ENOUGH_LEFT', { text: texts.left(free) })
}

/**
 * Returns the error for a choice of a drop that is sold out, which names the chosen value; null when nothing was
 * chosen.
 * @throws NO_OPTIONS, OPTION_UNKNOWN
 */
export function soldOutChoice(drop: WithOption, selected: Record<string, string> = {}): AppError | null {
  if (!drop.option || Object.values(selected).every((value) => optionKey(value) === '')) return null
  return whyNotValue(drop, 1, chooseValue(drop, selected))
}

/**
 * Returns the problem with the choice in the URL of the payment page: it is missing, does not exist or is sold out.
 * Returns null when there is no problem. No unit is held at this point.
 */
export function choiceProblem(drop: WithOption, selected: Record<string, string>): string | null {
  try {
    const valueId = chooseValue(drop, selected)
    const value = drop.option?.values.find(({ id }) => id === valueId)
    return value && !drop.isOpenEdition && unsoldUnits(value) === 0 ? valueTexts(value.value).soldOut : null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
