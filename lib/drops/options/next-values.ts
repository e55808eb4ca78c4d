import 'server-only'
import type { ProductType } from '@/lib/kernel/product-type'
import type { NextValue } from '../launch-run'
import { dropError } from '../messages'
import { optionTexts, valueProblems } from './option-messages'
import { optionKey, type TypedValue } from './option-rules'
import { nextQuantity } from '../rules'
import type { OptionValueRow } from '../view'

/**
 * Returns the units of each value in a new run. When the seller lists values, a value that is not listed gets no units.
 * Without a list, each value gets the default of nextQuantity() (docs/product.md#options).
 * @throws OPTIONS_REFUSED for a drop without an option or a value that the drop does not have, OPTION_TAKEN for fewer
 *   units than are in checkout.
 */
export function nextValues(
  { productType }: { productType: ProductType },
  values: readonly OptionValueRow[],
  wanted?: readonly TypedValue[],
): NextValue[] {
  if (!wanted) return values.map((value) => ({ id: value.id, quantity: nextQuantity({ productType, ...value }) }))
  const stated = new Map(wanted.map(({ value, quantity }) => [optionKey(value), quantity]))
  const known = new Set(values.map(({ value }) => optionKey(value)))
  const unknown = wanted.find(({ value }) => !known.has(optionKey(value)))
  if (values.length === 0) throw dropError('OPTIONS_REFUSED', { text: optionTexts.noOption })
  if (unknown) throw dropError('OPTIONS_REFUSED', { text: valueProblems(unknown.value).unknown })
  return values.map(({ id, value, held }) => {
    const quantity = stated.get(optionKey(value)) ?? 0
    if (quantity < held) throw dropError('OPTION_TAKEN', { text: valueProblems(value).taken(held) })
    return { id, quantity }
  })
}
