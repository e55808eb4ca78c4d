import 'server-only'
import { collector } from '@/lib/infra/collector'
import type { Database } from '@/lib/infra/db'
import { addToHours } from './add-to-hours'

type Refusals = { dropId: number; count: number }

const counted = new Map<number, Refusals>()
const refusals = collector<Refusals>('refusals', writeRefusals)

/** Counts a press on the buy button that got no hold although the drop has unsold units. */
export function countRefusal(dropId: number): void {
  const known = counted.get(dropId) ?? { dropId, count: 0 }
  known.count += 1
  counted.set(dropId, known)
  refusals.add(String(dropId), known)
}

async function writeRefusals(database: Database, batch: Refusals[]): Promise<void> {
  for (const { dropId } of batch) counted.delete(dropId)
  await addToHours(
    database,
    'refused',
    batch.map((refused) => ({ ...refused, source: 'direct' })),
  )
}
