import { db } from '@/lib/infra/db'

/**
 * Waits until a statement that contains `statement` is waiting for a lock, or until `work` has ended.
 * @returns whether a statement is waiting
 */
export async function untilWaits(statement: string, work: Promise<unknown>): Promise<boolean> {
  let hasEnded = false
  void work.catch(() => null).finally(() => (hasEnded = true))
  for (;;) {
    const waiting = await db().$queryRaw<object[]>`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND position(${statement} IN query) > 0`
    if (hasEnded || waiting.length > 0) return waiting.length > 0
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
