import 'server-only'
import type { Database } from '@/lib/infra/db'
import { processState } from '@/lib/kernel/process-state.mjs'

const shared = processState('platform', (): { known?: { isActive: boolean; readAt: number } } => ({}))

/**
 * The greatest age of the remembered state. It is so low that a change reaches every process within a second, even when
 * the query is slow (docs/product.md#kill-switch).
 */
const MAX_AGE_MS = 250

/** Deletes the remembered state. A process must call this after it has changed the state itself. */
export function forgetPlatformState(): void {
  delete shared.known
}

/** Reads the current state of the kill switch from the database, and when it last changed. */
export async function readPlatformState({ sql }: Database): Promise<{ isActive: boolean; since: Date | null }> {
  const [row] = await sql<{ isActive: boolean; since: Date }>(
    'platform-state',
    'SELECT "isActive", "updatedAt" AS "since" FROM "PlatformSettings" WHERE "id" = 1',
  )
  return row ?? { isActive: true, since: null }
}

/** Finds when the platform was last paused, even if it is open again; null when it never was. */
export async function findLastPause({ sql }: Database): Promise<Date | null> {
  const [row] = await sql<{ createdAt: Date }>(
    'last-pause',
    `SELECT "createdAt" FROM "AuditEntry"
      WHERE "targetType" = 'platform' AND "action" = 'platform.pause' AND "before"->>'isActive' = 'true'
      ORDER BY "id" DESC LIMIT 1`,
  )
  return row?.createdAt ?? null
}

/**
 * Whether the platform is open to everyone. Throws while the database is unavailable, so that the platform counts as
 * closed.
 */
export async function isPlatformActive({ sql }: Database): Promise<boolean> {
  const now = performance.now()
  const { known } = shared
  if (known && now - known.readAt < MAX_AGE_MS) return known.isActive
  const [row] = await sql<{ isActive: boolean }>(
    'platform-active',
    'SELECT "isActive" FROM "PlatformSettings" WHERE "id" = 1',
  )
  const isActive = row?.isActive ?? true
  shared.known = { isActive, readAt: now }
  return isActive
}
