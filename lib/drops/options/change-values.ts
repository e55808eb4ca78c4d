import 'server-only'
import type { Drop } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { readLockedValues } from '../guards'
import { dropError } from '../messages'
import { noteRunChange } from '../history/note-run-change'
import { openOptionTexts, optionTexts, valueProblems } from './option-messages'
import { optionKey, sumOfUnits, type TypedValue } from './option-rules'
import type { OptionValueRow } from '../view'

/**
 * Changes the values of a running or scheduled drop's option in the caller's transaction. Until the first sale, values
 * can be added, changed and removed, except that units in checkout have to stay. Afterwards the values are fixed and
 * can only get more units (docs/product.md#options). The values are also fixed from the start of early access, because
 * the page promises what is left for everyone. Each value that changed is recorded. Call it with the drop's row locked.
 * The values of an open edition have the cap as their stock, which changes with the cap.
 * @param units the new quantity of the drop. By default it is the sum of the values, or the cap of an open edition. It
 *   differs from the sum when all values are removed.
 * @returns the new quantity of the drop.
 * @throws OPTIONS_REFUSED, OPTIONS_FIXED, OPTION_TAKEN, CHANGED_OFTEN
 */
export async function changeValues(
  tx: Context,
  drop: Pick<Drop, 'id' | 'run' | 'optionName' | 'quantity' | 'purchases' | 'isOpenEdition'> & {
    isEarlyOpen?: boolean
  },
  wanted: readonly TypedValue[],
  units = drop.isOpenEdition ? drop.quantity : sumOfUnits(wanted),
): Promise<number> {
  if (drop.optionName === null) throw dropError('OPTIONS_REFUSED', { text: optionTexts.noOption })
  const known = await readLockedValues(tx, drop.id)
  const kept = new Map(known.map((row) => [optionKey(row.value), row]))
  const steps = wanted.map((value, position) => ({ ...value, position, row: kept.get(optionKey(value.value)) }))
  const areValuesFixed = drop.purchases > 0 || drop.isEarlyOpen === true
  // The cap was compared with the units of the whole drop, which are at least those of each value.
  if (!drop.isOpenEdition) {
    for (const { row, quantity } of steps) if (row) assertUnits(row, quantity, areValuesFixed)
  }
  const removed = known.filter(({ id }) => !steps.some(({ row }) => row?.id === id))
  if (areValuesFixed && (removed.length > 0 || steps.some(({ row }) => !row))) {
    throw dropError('OPTIONS_FIXED', { text: (drop.isOpenEdition ? openOptionTexts : optionTexts).fixedValues })
  }
  for (const { value, held } of removed) {
    if (held > 0) throw dropError('OPTION_TAKEN', { text: valueProblems(value).removed })
  }
  await removeValues(tx, removed)
  for (const { row, value, quantity, position } of steps) {
    if (row) await tx.db.optionValue.update({ where: { id: row.id }, data: { value, quantity, position } })
    else await tx.db.optionValue.create({ data: { dropId: drop.id, value, quantity, position } })
  }
  const values = [
    ...removed.map((row) => ({ value: row.value, before: row.quantity, after: null })),
    ...steps.map(({ row, value, quantity: after }) => ({ value, before: row?.quantity ?? null, after })),
  ].filter(({ before, after }) => before !== after)
  if (!drop.isOpenEdition) {
    await noteRunChange(tx, drop, { reason: 'values', values, units: [drop.quantity, units] })
    return units
  }
  const isListed = ({ before, after }: (typeof values)[number]) => before === null || after === null
  await noteRunChange(tx, drop, { reason: 'values', values: values.filter(isListed) })
  await noteRunChange(tx, drop, { reason: 'units', units: [drop.quantity, units] })
  return units
}

/**
 * Deletes values. Deleting a value changes the holds and the reminders that refer to it. A payment locks its hold
 * before the drop's row, but here the drop's row is locked already, so waiting for such a hold could deadlock. When
 * another transaction has locked one of the holds, the deletion is therefore refused and the payment continues.
 */
async function removeValues(tx: Context, removed: readonly OptionValueRow[]): Promise<void> {
  for (const { id, value } of removed) {
    const holds = await tx.db.hold.count({ where: { valueId: id } })
    const locked = await tx.sql<{ id: string }>(
      'lock-holds-of-value',
      `SELECT h."id" FROM "Hold" h WHERE h."valueId" = :id ORDER BY h."id" FOR UPDATE SKIP LOCKED`,
      { id },
    )
    if (locked.length < holds) throw dropError('OPTION_TAKEN', { text: valueProblems(value).removed })
    await tx.db.optionValue.delete({ where: { id } })
  }
}

function assertUnits(row: OptionValueRow, quantity: number, areValuesFixed: boolean): void {
  const texts = valueProblems(row.value)
  if (quantity < row.sold + row.held) throw dropError('OPTION_TAKEN', { text: texts.taken(row.sold + row.held) })
  if (areValuesFixed && quantity < row.quantity) throw dropError('OPTIONS_REFUSED', { text: texts.lower })
}
