import 'server-only'
import type pg from 'pg'
import type { ApiFault, DeliveryDisorder, Faults } from './objects'

/** How long another process may use older settings after a change. */
const MAX_AGE_MS = 500

export type FaultSettings = {
  api: ApiFault | null
  deliveries: DeliveryDisorder | null
  limits?: boolean
  overdraws?: boolean
  settlesLate?: boolean
  /** Without a value, the seed stays as it is. */
  seed?: number | null
}

export type FaultBox = {
  /** Replaces the settings for every process. */
  set: (settings: FaultSettings) => Promise<void>
  /** Returns the fault for a call to this path, if there is one, and uses up one of the fault's remaining calls. */
  takeFor: (path: string) => Promise<ApiFault | null>
  disorder: () => Promise<DeliveryDisorder | null>
  /** The seed that chooses how events are disturbed, or null. */
  seed: () => Promise<number | null>
  /** Whether Stripe's rate limits are enforced. */
  hasLimits: () => Promise<boolean>
}

/** Keeps the faults that tests request. They are stored in Postgres and read again after half a second. */
export function createFaultBox(pool: pg.Pool): FaultBox {
  let known: Faults | null = null
  let readAt = Number.NEGATIVE_INFINITY

  async function read(): Promise<Faults | null> {
    if (performance.now() - readAt > MAX_AGE_MS) {
      const startedAt = (readAt = performance.now())
      const { rows } = await pool.query<{ json: Faults }>(`SELECT "json" FROM "SandboxObject" WHERE "id" = '~faults'`)
      // Settings that were made meanwhile are newer than this response.
      if (readAt === startedAt) known = rows[0]?.json ?? null
    }
    return known
  }

  return {
    set: async (settings) => {
      const faults: Faults = { id: '~faults', object: '~faults', limits: false, ...settings }
      const { rows } = await pool.query<{ json: Faults }>(
        `INSERT INTO "SandboxObject" AS o ("id", "kind", "json", "updatedAt") VALUES ('~faults', '~faults', $1, now())
         ON CONFLICT ("id") DO UPDATE
           SET "json" = jsonb_build_object('seed', o."json"->'seed') || EXCLUDED."json"::jsonb, "updatedAt" = now()
         RETURNING "json"`,
        [JSON.stringify(faults)],
      )
      known = rows[0]?.json ?? null
      readAt = performance.now()
    },
    takeFor: async (path) => {
      const fault = (await read())?.api
      if (!fault || !path.startsWith(fault.path)) return null
      if (fault.remaining === null) return fault
      const { rowCount } = await pool.query(
        `UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{api,remaining}',
                to_jsonb(("json"#>>'{api,remaining}')::int - 1))
          WHERE "id" = '~faults' AND ("json"#>>'{api,remaining}')::int > 0`,
      )
      return rowCount ? fault : null
    },
    disorder: async () => (await read())?.deliveries ?? null,
    seed: async () => (await read())?.seed ?? null,
    hasLimits: async () => (await read())?.limits ?? false,
  }
}
