import { setTimeout as sleep } from 'node:timers/promises'
import { payoutSums } from '@/lib/payouts/payout-sums'
import { resume } from './admin-verbs'
import { call } from './call'
import { makeLastPurchases } from './make-last-purchases'
import type { World } from './start-world'

const REST_MS = 60_000
const LOOK_EVERY_MS = 500
/**
 * After this time, the mail server has certainly accepted or refused every email that was being sent when the faults
 * stopped.
 */
const MAIL_UNDER_WAY_MS = 3_000
/** The longest wait for an answer that a process has not cached. Answers are cached for a second. */
const FRESH_MS = 5_000
const BETWEEN_READS_MS = 50

export type Rest = {
  /** The time until nothing was left to do, or null if it was longer than a minute. */
  afterMs: number | null
  /** The work that was left at the end, each with its first row. */
  left: string[]
}

/** Selects the payouts that were sent, with their order `o` and seller `u`. */
const SENT_PAYOUTS = `
  SELECT t.*, o."status", o."refundedCents", u."payoutsState" FROM "Transfer" t
    JOIN "Order" o ON o."id" = t."orderId" JOIN "User" u ON u."id" = t."sellerId" WHERE ${payoutSums.isUnsettled}`

/** What the application must have done before the books are compared. Each statement selects what is left to do. */
const OURS: readonly [what: string, sql: string][] = [
  ['holds that did not end', `SELECT * FROM "Hold" WHERE "state" = 'held'`],
  [
    'checkouts that were not closed, although their units went back on sale',
    `SELECT * FROM "Hold" WHERE "state" = 'released' AND "reason" = 'yielded'`,
  ],
  ['emails that were not sent', `SELECT "id", "to", "attempts", "sendAfter" FROM "OutboxMail" WHERE "sentAt" IS NULL`],
  [
    'refunds that were not requested at Stripe',
    `SELECT * FROM "Refund" WHERE "state" = 'pending' AND "stripeRefundId" IS NULL`,
  ],
  [
    'payouts that are due and were not sent',
    `SELECT t.* FROM "Transfer" t JOIN "Order" o ON o."id" = t."orderId"
      WHERE t."state" = 'waiting' AND t."dueAt" <= now() AND o."status" IN ('paid', 'shipped', 'delivered', 'done')
        AND o."cardFeeCents" IS NOT NULL AND t."lastError" IS NULL`,
  ],
  [
    // If Stripe refused a reversal because the seller's balance is empty, the seller has a debt, and no call is left to
    // make.
    'payouts of which a part was not reversed',
    `${SENT_PAYOUTS} AND ${payoutSums.out} > ${payoutSums.payable} AND t."reversalRefusedAt" IS NULL`,
  ],
  [
    // A missing amount waits while the order is disputed or one of its refunds is pending.
    'payouts of which a part was not sent again',
    `${SENT_PAYOUTS} AND ${payoutSums.out} < ${payoutSums.payable} AND o."status" <> 'disputed'
        AND ${payoutSums.canReceive('u')} AND t."paidByHandAt" IS NULL
        AND NOT EXISTS (SELECT FROM "Refund" r WHERE r."orderId" = o."id" AND r."state" = 'pending')`,
  ],
]

const STRIPES: readonly [what: string, sql: string][] = [
  ['events that were not delivered', `SELECT * FROM "SandboxDelivery" WHERE "deliveredAt" IS NULL`],
]

/** Finds payments that succeeded at Stripe, but whose order is not paid and was not refunded because of its country. */
async function unsettledPayments({ postgres, stripePool }: World): Promise<{ id: string }[]> {
  const { rows } = await stripePool.query<{ orderId: string }>(
    `SELECT "json"->'metadata'->>'orderId' AS "orderId" FROM "SandboxObject"
      WHERE "kind" = 'payment_intent' AND "json"->>'status' = 'succeeded' AND "json"->'metadata' ? 'orderId'`,
  )
  const unsettled = await postgres.pool.query<{ id: string }>(
    `SELECT t."id" FROM unnest($1::text[]) AS t("id") WHERE NOT EXISTS (
       SELECT 1 FROM "Order" o WHERE o."id" = t."id" AND (o."paidAt" IS NOT NULL
                OR EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'mismatch')))`,
    [rows.map(({ orderId }) => orderId)],
  )
  return unsettled.rows
}

async function whatIsLeft(world: World): Promise<string[]> {
  const left: string[] = []
  const note = (what: string, rows: readonly object[]) =>
    rows.length > 0 && left.push(`${rows.length} ${what}, the first one is ${JSON.stringify(rows[0])}`)
  for (const [what, sql] of OURS) note(what, (await world.postgres.pool.query(sql)).rows)
  for (const [what, sql] of STRIPES) note(what, (await world.stripePool.query(sql)).rows)
  note('payments without their order', await unsettledPayments(world))
  return left
}

/** Moves open holds half an hour into the past so that they expire, and makes undelivered events due now. */
async function passTime({ postgres, stripePool }: World): Promise<void> {
  await postgres.pool.query(
    `UPDATE "Hold" SET "expiresAt" = now(), "createdAt" = "createdAt" - interval '32 minutes', "openingSince" = "openingSince" - interval '32 minutes',
            "opensAt" = LEAST("opensAt", now()) WHERE "state" = 'held' OR ("state" = 'released' AND "reason" = 'yielded')`,
  )
  await stripePool.query('UPDATE "SandboxDelivery" SET "nextAttemptAt" = now() WHERE "deliveredAt" IS NULL')
}

/** Makes the next attempts to send emails and payouts, which are minutes away, due now. */
async function passMoreTime({ postgres }: World): Promise<void> {
  await postgres.pool.query(
    `UPDATE "OutboxMail" SET "sendAfter" = now() WHERE "sentAt" IS NULL AND "sendAfter" > now()`,
  )
  await postgres.pool.query(`UPDATE "Transfer" SET "nextAttemptAt" = now() WHERE "nextAttemptAt" > now()`)
}

/**
 * Waits until a process has read a drop after `restedAt`, in Unix milliseconds. Until then its answer may come from its
 * cache, and need not match the database. A process that goes on with an old answer fails the last look.
 */
async function untilReadAfter(restedAt: number, url: string): Promise<void> {
  const deadline = Date.now() + FRESH_MS
  while (Date.now() < deadline) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(FRESH_MS) }).catch(() => null)
    // The body of a drop holds the time when it was read. A drop that is gone has none.
    const { serverTime } = answer?.ok ? ((await answer.json()) as { serverTime: string }) : { serverTime: null }
    if (answer && (serverTime === null || Date.parse(serverTime) >= restedAt)) return
    await sleep(BETWEEN_READS_MS)
  }
}

/**
 * Ends all faults, opens the platform, and makes the last purchases. It then waits for at most a minute until the
 * application has completed all open work by itself, and requests every drop from both processes once more.
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
  await makeLastPurchases(world)
  await passTime(world)
  await sleep(MAIL_UNDER_WAY_MS)
  await passMoreTime(world)
  let left = await whatIsLeft(world)
  let looks = 0
  while (left.length > 0 && Date.now() - startedAt < REST_MS) {
    await sleep(LOOK_EVERY_MS)
    // After a failed attempt, the next one would be minutes away again.
    if (++looks % 20 === 0) await passMoreTime(world)
    left = await whatIsLeft(world)
  }
  const afterMs = left.length > 0 ? null : Date.now() - startedAt
  const { rows } = await world.postgres.pool.query<{ now: Date }>('SELECT now()')
  const restedAt = rows[0]?.now.getTime() ?? Date.now()
  for (const app of [0, 1] as const) {
    for (const drop of world.drops) {
      const url = `${apps[app].url}/api/drop/${drop.identifier}`
      await untilReadAfter(restedAt, url)
      await call(world, { actor: 'visitor', verb: 'lastLook', app, about: { drop: drop.id }, url })
    }
  }
  return { afterMs, left }
}
