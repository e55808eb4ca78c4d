import { setTimeout as sleep } from 'node:timers/promises'
import { payoutSums } from '@/lib/payouts/payout-sums'
import { resume } from './admin-verbs'
import { call } from './call'
import type { World } from './start-world'

const REST_MS = 60_000
const LOOK_EVERY_MS = 500
/** Mail that was being sent when the faults stopped has certainly been answered by then. */
const MAIL_UNDER_WAY_MS = 3_000

export type Rest = {
  /** How long it took until nothing was left to do; null when it took longer than a minute. */
  afterMs: number | null
  /** What was left to do at last. */
  left: string[]
}

/** What has to be true before the books are compared. Each statement counts what is left. */
const OURS: readonly [what: string, sql: string][] = [
  ['holds that did not end', `SELECT count(*)::int AS "left" FROM "Hold" WHERE "state" = 'held'`],
  ['mails that were not sent', `SELECT count(*)::int AS "left" FROM "OutboxMail" WHERE "sentAt" IS NULL`],
  [
    'refunds that Stripe was not asked for',
    `SELECT count(*)::int AS "left" FROM "Refund" WHERE "state" = 'pending' AND "stripeRefundId" IS NULL`,
  ],
  [
    'payouts that are due and were not sent',
    `SELECT count(*)::int AS "left" FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId"
      WHERE t."state" = 'waiting' AND t."dueAt" <= now() AND o."status" IN ('paid', 'shipped', 'delivered', 'done')
        AND o."cardFeeCents" IS NOT NULL AND t."lastError" IS NULL`,
  ],
  [
    // A reversal that Stripe refused, because the seller's balance is empty, is the seller's debt and needs no further call.
    'payouts of which a part has to come back',
    `SELECT count(*)::int AS "left" FROM "Transfer" t WHERE ${payoutSums.isUnsettled} AND t."reversalRefusedAt" IS NULL`,
  ],
]

const STRIPES: readonly [what: string, sql: string][] = [
  [
    'events that were not delivered',
    `SELECT count(*)::int AS "left" FROM "SandboxDelivery" WHERE "deliveredAt" IS NULL`,
  ],
]

/** Payments that Stripe took, and whose order does not know it yet. */
async function unsettledPayments({ postgres, stripePool }: World): Promise<number> {
  const { rows } = await stripePool.query<{ orderId: string }>(
    `SELECT "json"->'metadata'->>'orderId' AS "orderId" FROM "SandboxObject"
      WHERE "kind" = 'payment_intent' AND "json"->>'status' = 'succeeded' AND "json"->'metadata' ? 'orderId'`,
  )
  const paid = await postgres.pool.query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM unnest($1::text[]) AS t("id") WHERE NOT EXISTS (
       SELECT 1 FROM "Order" o WHERE o."id" = t."id" AND o."paidAt" IS NOT NULL)`,
    [rows.map(({ orderId }) => orderId)],
  )
  return paid.rows[0]?.count ?? 0
}

async function whatIsLeft(world: World): Promise<string[]> {
  const left: string[] = []
  const note = (what: string, count: number) => count > 0 && left.push(`${count} ${what}`)
  for (const [what, sql] of OURS) note(what, (await world.postgres.pool.query(sql)).rows[0].left)
  for (const [what, sql] of STRIPES) note(what, (await world.stripePool.query(sql)).rows[0].left)
  note('payments without their order', await unsettledPayments(world))
  return left
}

/** Half an hour passes: checkouts are over, and what waits for its next attempt is due. */
async function passTime({ postgres, stripePool }: World): Promise<void> {
  await postgres.pool.query(
    `UPDATE "Hold" SET "expiresAt" = now(), "createdAt" = "createdAt" - interval '32 minutes', "openingSince" = "openingSince" - interval '32 minutes',
            "opensAt" = LEAST("opensAt", now()) WHERE "state" = 'held' OR ("state" = 'released' AND "reason" = 'yielded')`,
  )
  await stripePool.query('UPDATE "SandboxDelivery" SET "nextAttemptAt" = now() WHERE "deliveredAt" IS NULL')
}

/** Makes the next attempts of mails and payouts, which are minutes away, due now. */
async function passMoreTime({ postgres }: World): Promise<void> {
  await postgres.pool.query(
    `UPDATE "OutboxMail" SET "sendAfter" = now() WHERE "sentAt" IS NULL AND "sendAfter" > now()`,
  )
  await postgres.pool.query(`UPDATE "Transfer" SET "nextAttemptAt" = now() WHERE "nextAttemptAt" > now()`)
}

/**
 * Ends all faults and waits, for a minute at most, until the application has brought everything in order by itself. Then both
 * processes are asked about every drop once more.
 */
export async function comeToRest(world: World): Promise<Rest> {
  const { apps, proxies, courier, mail, stripe } = world
  for (const proxy of proxies) proxy.mend()
  courier.calmDown()
  mail.setDown(false)
  await stripe.order({ faults: { api: null, deliveries: null } })
  await Promise.all(apps.map((app) => app.settle()))
  const startedAt = Date.now()
  while (!(await resume(world, 0)) && Date.now() - startedAt < REST_MS) await sleep(LOOK_EVERY_MS)
  await passTime(world)
  await sleep(MAIL_UNDER_WAY_MS)
  await passMoreTime(world)
  let left = await whatIsLeft(world)
  let looks = 0
  while (left.length > 0 && Date.now() - startedAt < REST_MS) {
    await sleep(LOOK_EVERY_MS)
    // A failed attempt makes the next one wait for minutes again.
    if (++looks % 20 === 0) await passMoreTime(world)
    left = await whatIsLeft(world)
  }
  const afterMs = left.length > 0 ? null : Date.now() - startedAt
  // Both processes cache answers for a second at most, so after this pause they must answer what the database has.
  await sleep(1_500)
  for (const app of [0, 1] as const) {
    for (const drop of world.drops) {
      const url = `${apps[app].url}/api/drop/${drop.identifier}`
      await call(world, { actor: 'visitor', verb: 'lastLook', app, about: { drop: drop.id }, url })
    }
  }
  return { afterMs, left }
}
