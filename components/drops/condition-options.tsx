import { itemConditionLabels, itemConditions } from '@/lib/kernel/item-condition'

/** Lists the conditions in which goods can be, as options of a select. */
export function ConditionOptions() {
  return itemConditions.map((condition) => (
    <option key={condition} value={condition}>
      {itemConditionLabels[condition]}
    </option>
  ))
}
