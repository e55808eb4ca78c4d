import { db } from '@/lib/infra/db'

/**
 * Waits until a statement that contains `statement` is waiting for a lock, or `count` such statements, or until `work`
 * has ended.
 * @returns whether so many statements are waiting
 */
export async function untilWaits(statement: string, work: Promise<unknown>, count = 1): Promise<boolean> {
  let hasEnded = false
  void work.catch(() => null).finally(() => (hasEnded = true))
  for (;;) {
    const waiting = await db().$queryRaw<object[]>`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND position(${statement} IN query) > 0`
    if (hasEnded || waiting.length >= count) return waiting.length >= count
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
