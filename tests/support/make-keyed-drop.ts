import type { Prisma } from '@prisma/client'
import { addKeys } from '@/lib/drops/keys/add-keys'
import { db } from '@/lib/infra/db'
import { makeDrop, visitor } from './factories'

/** Makes a live digital drop with these keys, one for each unit, and with its run. */
export async function makeKeyedDrop(keys: string[], overrides: Partial<Prisma.DropUncheckedCreateInput> = {}) {
  const drop = await makeDrop({ productType: 'digital', quantity: keys.length, keysGiven: 0, ...overrides })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  await addKeys(
    visitor(),
    dropId,
    keys.map((key, at) => ({ key, line: at + 1 })),
  )
  return drop
}

/** Returns this many different keys. */
export const someKeys = (count: number, prefix = 'KEY') =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at + 1).padStart(5, '0')}`)

/** Returns the keys of an order in the sequence in which they are shown. */
export async function keysOf(orderId: string): Promise<string[]> {
  const rows = await db().dropKey.findMany({ where: { orderId }, orderBy: { id: 'asc' } })
  return rows.map(({ key }) => key)
}
