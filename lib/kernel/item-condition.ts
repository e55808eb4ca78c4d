/** The conditions in which the goods of a physical drop may be. */
export const itemConditions = ['new', 'used', 'refurbished'] as const

export type ItemCondition = (typeof itemConditions)[number]

/** The conditions as screens name them. */
export const itemConditionLabels: Record<ItemCondition, string> = {
  new: 'New',
  used: 'Used',
  refurbished: 'Refurbished',
}
