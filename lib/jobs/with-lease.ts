import 'server-only'
import { database } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { SECOND_MS } from '@/lib/kernel/time'

const LEASE_SECONDS = 20
/** A lease with less time left is renewed before the next run. */
const RENEW_MS = 10 * SECOND_MS

/**
 * The leases of this process. `until` is the time (`performance.now()`) until which the process certainly holds each of
 * them.
 */
export type Leases = { holder: string; until: Map<string, number> }

/** Creates the empty set of leases of this process, with a name of its own for the database. */
export function createLeases(): Leases {
  return { holder: newId('proc'), until: new Map() }
}

/**
 * Runs `work` only if this process has the lease of the job or can take it. Otherwise it does nothing. A process renews
 * its lease before a run and releases it when it stops. After a crash the lease ends within twenty seconds. The lease
 * may also end during a run of more than ten seconds. A second process may then run the same work at the same time, so
 * the work must tolerate that (ADR 0042).
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

/** Releases all leases of this process, so that another process can take over right away. */
export async function releaseLeases({ holder, until }: Leases): Promise<void> {
  if (until.size === 0) return
  until.clear()
  await database().sql('release-leases', 'DELETE FROM "JobLease" WHERE "holder" = :holder', { holder })
}
