import 'server-only'
import type { Drop } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { noteRunChange } from '../history/note-run-change'
import { countFreeKeys } from './add-keys'

/**
 * Lowers the quantity of a drop that is restored, so that each unsold unit has a free key. While the drop was deleted,
 * its free keys could replace void keys of its orders. Call it with the drop's row locked.
 */
export async function limitToKeys(tx: Context, drop: Drop): Promise<void> {
  const { id: dropId, run, sold, held, quantity: before, keysGiven, hiddenAt } = drop
  if (keysGiven === null || hiddenAt === null) return
  const free = await countFreeKeys(tx, dropId)
  const quantity = Math.max(1, sold + Math.max(held, Math.min(free, before - sold)))
  if (quantity === before) return
  await tx.db.drop.update({ where: { id: dropId }, data: { quantity } })
  await tx.db.dropRun.updateMany({ where: { dropId, run }, data: { quantity } })
  await noteRunChange(tx, drop, { reason: 'units', units: [before, quantity] })
}
