import 'server-only'
import type { DropRow } from '@/lib/drops/view'
import { processState } from '@/lib/kernel/process-state.mjs'
import { SECOND_MS } from '@/lib/kernel/time'

/** A drop as it was read after a buyer got no unit, and the `performance.now()` at which that read began. */
type Look = { since: number; drop: DropRow }

const looks = processState('latest-looks', () => new Map<number, Look>())

/** How long a look is kept. No call waits much longer than this for its turn (lib/infra/queue-for-row.ts). */
const KEPT_MS = 2 * SECOND_MS

/**
 * Reads a drop with `read` and keeps the result for the other buyers of this process who wait for the same drop. In a
 * rush on the last units, hundreds of buyers wait, and each would otherwise run the statement that takes units only to
 * learn that none are left (docs/performance.md#the-hot-row).
 */
export async function lookAt(dropId: number, read: () => Promise<DropRow | null>): Promise<DropRow | null> {
  const since = performance.now()
  const drop = await read()
  const known = looks.get(dropId)
  if (!drop || (known && known.since > since)) return drop
  looks.set(dropId, { since, drop })
  if (!known) setTimeout(() => looks.delete(dropId), KEPT_MS).unref()
  return drop
}

/**
 * Returns the drop as another call has read it, if that read began after `since`. A caller that has waited since then
 * may answer with what was read, because it was true at a moment of the caller's own wait.
 */
export function latestLook(dropId: number, since: number): DropRow | null {
  const look = looks.get(dropId)
  return look && look.since > since ? look.drop : null
}
