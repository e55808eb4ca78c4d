import type { BankStep } from '@/lib/sandbox/stripe/bank-does'
import { call } from './call'
import type { Step } from './plan-storm'
import { perishable } from './seller-verbs'
import type { World } from './start-world'

const BANK_STEPS: readonly BankStep[] = [
  'inquire',
  'dispute',
  'lose-at-once',
  'lose-half-at-once',
  'prevent',
  'escalate',
  'fall-due',
]

/** Half an hour passes for some checkouts: their holds are over, and their buyers do not know it. */
export async function ageHolds({ postgres }: World, { pick }: Step): Promise<void> {
  await postgres.pool.query(
    `UPDATE "Hold" SET "createdAt" = "createdAt" - interval '32 minutes', "openingSince" = "openingSince" - interval '32 minutes',
            "expiresAt" = now() WHERE "id" IN (
       SELECT "id" FROM "Hold" WHERE "state" = 'held' AND "expiresAt" > now() ORDER BY "createdAt" LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [1 + (pick % 4)],
  )
}

/** A drop ends by the clock in a moment. */
export async function endSoon(world: World, step: Step): Promise<void> {
  const drop = perishable(world, step)
  await world.postgres.pool.query(
    `UPDATE "Drop" SET "endTime" = now() + interval '1 second', "startedAt" = now() + interval '1 second' - make_interval(hours => "duration")
      WHERE "id" = $1 AND "endTime" > now() + interval '1 second' AND "archivedAt" IS NULL`,
    [drop.id],
  )
}

/** The scheduled call of a host comes while the built-in jobs run. */
export async function runJobs(world: World, step: Step): Promise<void> {
  const init = { method: 'POST', headers: { authorization: `Bearer ${world.cronSecret}` } }
  const url = `${world.apps[step.app].url}/api/cron/archive`
  await call(world, { actor: 'clock', verb: 'runJobs', app: step.app, url, init })
}

/** A buyer's bank does something by itself. */
export async function bankActs(world: World, step: Step): Promise<void> {
  const { rows } = await world.stripePool.query<{ id: string }>(
    `SELECT "id" FROM "SandboxObject" WHERE "kind" = 'payment_intent' AND "json"->>'status' = 'succeeded' ORDER BY "id"`,
  )
  const intent = rows[step.pick % Math.max(1, rows.length)]
  const bankStep = BANK_STEPS[step.card % BANK_STEPS.length]!
  if (intent) await world.stripe.order({ bank: { intentId: intent.id, step: bankStep } })
}
