import { setTimeout as sleep } from 'node:timers/promises'
import type { BankStep } from '@/lib/sandbox/stripe/payments/bank-does'
import { call } from './call'
import type { Step } from './plan-storm'
import { perishable } from './seller-verbs'
import { moveStart, type World } from './start-world'

const BANK_STEPS: readonly BankStep[] = [
  'inquire',
  'dispute',
  'lose-at-once',
  'lose-half-at-once',
  'prevent',
  'escalate',
  'fall-due',
]

/** To open early access, the start is moved to this many minutes from now. Early access begins an hour before it. */
const MINUTES_WHILE_EARLY = 55

/** Makes up to four open holds 32 minutes older and lets them expire now, while their buyers may still be paying. */
export async function ageHolds({ postgres }: World, { pick }: Step): Promise<void> {
  await postgres.pool.query(
    `UPDATE "Hold" SET "createdAt" = "createdAt" - interval '32 minutes', "openingSince" = "openingSince" - interval '32 minutes',
            "expiresAt" = now() WHERE "id" IN (
       SELECT "id" FROM "Hold" WHERE "state" = 'held' AND "expiresAt" > now() ORDER BY "createdAt" LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [1 + (pick % 4)],
  )
}

/** Moves the end of a drop so that it ends in one second. */
export async function endSoon(world: World, step: Step): Promise<void> {
  const drop = perishable(world, step)
  await world.postgres.pool.query(
    `UPDATE "Drop" SET "endTime" = now() + interval '1 second', "startedAt" = now() + interval '1 second' - make_interval(hours => "duration")
      WHERE "id" = $1 AND "endTime" > now() + interval '1 second' AND "archivedAt" IS NULL`,
    [drop.id],
  )
}

/** Makes the scheduled call that runs the jobs, as a host may do in addition to the built-in jobs. */
export async function runJobs(world: World, step: Step): Promise<void> {
  const init = { method: 'POST', headers: { authorization: `Bearer ${world.cronSecret}` } }
  const url = `${world.apps[step.app].url}/api/cron/archive`
  await call(world, { actor: 'clock', verb: 'runJobs', app: step.app, url, init })
}

/** Lets a buyer's bank act on a payment, for example with an inquiry or a dispute. */
export async function bankActs(world: World, step: Step): Promise<void> {
  const { rows } = await world.stripePool.query<{ id: string }>(
    `SELECT "id" FROM "SandboxObject" WHERE "kind" = 'payment_intent' AND "json"->>'status' = 'succeeded' ORDER BY "id"`,
  )
  const intent = rows[step.pick % Math.max(1, rows.length)]
  const bankStep = BANK_STEPS[step.card % BANK_STEPS.length]!
  if (intent) await world.stripe.order({ bank: { intentId: intent.id, step: bankStep } })
}

/** Makes one to three parcels late by moving the days by which they should have been sent into the past. */
export async function makeLate({ postgres }: World, { pick }: Step): Promise<void> {
  await postgres.pool.query(
    `UPDATE "Order" SET "shipsBy" = date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - interval '3 days'
      WHERE "id" IN (SELECT "id" FROM "Order" WHERE "status" = 'paid' AND "shipsBy" > now() AND "lateRefundAt" IS NULL
                      ORDER BY "paidAt" LIMIT $1 FOR UPDATE SKIP LOCKED)`,
    [1 + (pick % 3)],
  )
}

/** Ends the time in which the buyer of one late parcel may answer. */
export async function passAnswerTime({ postgres }: World): Promise<void> {
  await postgres.pool.query(
    `UPDATE "ShippingDelay" SET "answerBy" = now() WHERE "id" IN (
       SELECT "id" FROM "ShippingDelay" WHERE "answeredAt" IS NULL AND "answerBy" > now() ORDER BY "id" LIMIT 1)`,
  )
}

/** How many times, and at which interval, a step that other steps depend on is tried while Postgres is unavailable. */
const TRIES = 20
const BETWEEN_TRIES_MS = 500

async function moveEarlyDrop({ postgres, drops }: World, minutes: number): Promise<void> {
  const drop = drops.find(({ kind }) => kind.fields.earlyUnits)
  for (let tries = 1; ; tries += 1) {
    try {
      return await moveStart((text, values) => postgres.pool.query(text, values), drop?.id ?? 0, minutes)
    } catch (error) {
      if (tries === TRIES) throw error
      await sleep(BETWEEN_TRIES_MS)
    }
  }
}

/** Opens early access: from now on, followers with a link may buy. */
export const openEarly = (world: World): Promise<void> => moveEarlyDrop(world, MINUTES_WHILE_EARLY)

/** Starts the drop with early access for everyone. */
export const startPublicly = (world: World): Promise<void> => moveEarlyDrop(world, 0)
