import 'server-only'
import { database } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { SECOND_MS } from '@/lib/kernel/time'

const LEASE_SECONDS = 20
/** A lease with less time left is renewed before the next run. */
const RENEW_MS = 10 * SECOND_MS

/** The leases of this process, and until when it certainly has each, as `performance.now()`. */
export type Leases = { holder: string; until: Map<string, number> }

export function createLeases(): Leases {
  return { holder: newId('proc'), until: new Map() }
}

/**
 * Runs work in one process at a time; the others skip their turn. The process that ran a job keeps its lease until it
 * stops; a process that crashed loses it after twenty seconds. Work that takes longer may run in a second process at the
 * same time, so it must tolerate that (ADR 0042).
 */
export async function withLease(leases: Leases, name: string, work: () => Promise<unknown>): Promise<void> {
  if (await isHolder(leases, name)) await work()
}

async function isHolder({ holder, until }: Leases, name: string): Promise<boolean> {
  const nowMs = performance.now()
  if ((until.get(name) ?? 0) - nowMs > RENEW_MS) return true
  until.delete(name)
  const { sql } = database()
  const taken = await sql(
    'take-lease',
    `INSERT INTO "JobLease" AS l ("name", "holder", "expiresAt")
     VALUES (:name, :holder, now() + make_interval(secs => :seconds))
     ON CONFLICT ("name") DO UPDATE SET "holder" = EXCLUDED."holder", "expiresAt" = EXCLUDED."expiresAt"
      WHERE l."holder" = EXCLUDED."holder" OR l."expiresAt" < now() RETURNING l."name"`,
    { name, holder, seconds: LEASE_SECONDS },
  )
  if (taken.length === 0) return false
  until.set(name, nowMs + LEASE_SECONDS * SECOND_MS)
  return true
}

/** Gives all leases of this process back, so that another one continues at once. */
export async function releaseLeases({ holder, until }: Leases): Promise<void> {
  if (until.size === 0) return
  until.clear()
  await database().sql('release-leases', 'DELETE FROM "JobLease" WHERE "holder" = :holder', { holder })
}
