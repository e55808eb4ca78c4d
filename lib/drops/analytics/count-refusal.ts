import 'server-only'
import { collector } from '@/lib/infra/collector'
import type { Database } from '@/lib/infra/db'
import { processState } from '@/lib/kernel/process-state.mjs'
import { addToHours } from './add-to-hours'

type Refusals = { dropId: number; count: number }

// The count is process state, because two bundles of the application run in one process (ADR 0057).
const counted = processState('counted-refusals', () => new Map<number, Refusals>())
const refusals = collector<Refusals>('refusals', writeRefusals)

/**
 * Counts a press on the buy button for which no unit was held although the drop has unsold units. A press that was
 * answered with a request for proof of work counts, too.
 */
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
