import { execFileSync } from 'node:child_process'
import { Client } from 'pg'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newSecret } from '@/lib/kernel/id'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { makeDrop, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

const client = new Client(process.env.DATABASE_URL)

beforeAll(async () => {
  await client.connect()
  // Makes two paid orders, an open hosted checkout and an open embedded one.
  const drop = await makeDrop({ quantity: 5 })
  for (const isPaid of [true, true, false]) {
    const { url, sessionId } = await openCheckout(drop.id)
    if (!isPaid) continue
    await pay(url)
    await settleCheckout(systemContext('test'), sessionId)
  }
  await startEmbeddedCheckout(visitor(), { dropId: drop.id, buyerToken: newSecret() })
  // The drop and the objects of the stand-in are made so old that every job should have handled them.
  await db().$executeRaw`UPDATE "SandboxObject" SET "updatedAt" = now() - interval '1 hour'`
  await db().$executeRaw`UPDATE "Drop" SET "createdAt" = now() - interval '1 day'`
})

afterAll(async () => {
  await client.end()
  await closeDatabase()
})

/** Applies statements that break invariants, and rolls them back. @returns the names of the invariants that failed. */
async function brokenBy(breach: readonly string[]): Promise<string[]> {
  await client.query('BEGIN')
  try {
    for (const sql of breach) await client.query(sql)
    return (await checkInvariants(client)).filter(({ breaches }) => breaches.length > 0).map(({ name }) => name)
  } finally {
    await client.query('ROLLBACK')
  }
}

const PAID = `"id" = (SELECT "id" FROM "Order" WHERE "status" = 'paid' ORDER BY "id" LIMIT 1)`
const PENDING = `"id" = (SELECT "id" FROM "Order" WHERE "status" = 'pending' ORDER BY "id" LIMIT 1)`
const HOLD_OF = (order: string) => `"id" = (SELECT "holdId" FROM "Order" WHERE ${order})`
const without = (table: string, constraint: string) => `ALTER TABLE "${table}" DROP CONSTRAINT "${constraint}"`
const WITHOUT_ORDER_RULES = 'ALTER TABLE "Order" DISABLE TRIGGER "Order_rules"'
const ANOTHER_DROP = `INSERT INTO "Drop" ("uniqueId", "userId", "title", "description", "productType", "priceCents",
    "quantity", "duration", "startedAt", "endTime", "updatedAt")
  SELECT 'danother' || "id", "userId", "title", "description", "productType", "priceCents", 1, 24, now(),
         now() + interval '1 day', now() FROM "Drop"`
const sandboxRefund = (cents: number) => `INSERT INTO "SandboxObject" ("id", "kind", "json", "updatedAt")
  SELECT 're_planted', 'refund', jsonb_build_object('payment_intent', "stripePaymentIntentId", 'amount', ${cents},
         'status', 'succeeded'), now() FROM "Order" WHERE ${PAID}`

/** Returns statements that give each drop one value with these numbers, to which all its holds belong. */
const withValue = (quantity: string, sold = '"sold"', held = '"held"') => [
  `UPDATE "Drop" SET "optionName" = 'Size'`,
  `INSERT INTO "OptionValue" ("dropId", "position", "value", "quantity", "sold", "held")
   SELECT "id", 0, 'M', ${quantity}, ${sold}, ${held} FROM "Drop"`,
  `UPDATE "Hold" h SET "valueId" = v."id" FROM "OptionValue" v WHERE v."dropId" = h."dropId"`,
]

const HELD_USES = `(SELECT count(*) FROM "Hold" h WHERE h."dropId" = d."id" AND h."state" = 'held')`

/**
 * Returns statements that give each drop a discount code with these numbers, and add the code to its holds and orders.
 */
const withCode = (used: string, cents = '0') => [
  `INSERT INTO "DiscountCode" ("dropId", "code", "percent", "used", "held", "discountedCents")
   SELECT d."id", 'FRIENDS', 20, ${used}, ${HELD_USES}, ${cents} FROM "Drop" d`,
  `UPDATE "Hold" h SET "codeId" = c."id" FROM "DiscountCode" c WHERE c."dropId" = h."dropId"`,
  `UPDATE "Order" SET "discountCode" = 'FRIENDS', "discountCents" = "quantity" * 600`,
]
const USES = `(SELECT count(*) FROM "Hold" h WHERE h."dropId" = d."id" AND h."state" <> 'released')`
const CENTS = `(SELECT 600 * coalesce(sum(h."quantity"), 0) FROM "Hold" h WHERE h."dropId" = d."id" AND h."state" = 'sold')`

it('finds no problem in a sound database with discount codes', async () =>
  expect(await brokenBy(withCode(USES, CENTS))).toEqual([]))

it('finds no problem in a sound database with options', async () =>
  expect(await brokenBy(withValue('"quantity"'))).toEqual([]))

it('finds no problem in a sound database', async () => expect(await brokenBy([])).toEqual([]))

it.each([
  [
    'a drop with more units sold than it has',
    ['I1'],
    [without('Drop', 'Drop_stock'), `UPDATE "Drop" SET "quantity" = 3`],
  ],
  ['a negative number of held units', ['I1'], [without('Drop', 'Drop_stock'), `UPDATE "Drop" SET "held" = -1`]],
  ['values with fewer units than their drop', ['I1'], withValue('"quantity" - 1')],
  ['a value with sold units that nobody bought', ['I1'], withValue('"quantity"', '"sold" + 1')],
  ['a hold that its value does not count', ['I1'], withValue('"quantity"', '"sold"', '0')],
  ['a discount code with a use that belongs to no order', ['I1'], withCode(`${USES} + 1`, CENTS)],
  ['a discount code with a wrong sum of discounts', ['I1'], withCode(USES, `${CENTS} + 1`)],
  [
    'an order with a discount whose hold has no code',
    ['I1'],
    [`UPDATE "Order" SET "discountCode" = 'FRIENDS', "discountCents" = 1`],
  ],
  ['an option without values', ['I1'], [`UPDATE "Drop" SET "optionName" = 'Size'`]],
  ['a held unit that belongs to no hold', ['I1'], [`UPDATE "Drop" SET "held" = "held" + 1`]],
  ['a sold unit that nobody bought', ['I1'], [`UPDATE "Drop" SET "sold" = "sold" + 1`]],
  [
    'a paid order whose unit is on sale again',
    ['I1'],
    [
      `UPDATE "Hold" SET "state" = 'released', "reason" = 'expired' WHERE ${HOLD_OF(PAID)}`,
      `UPDATE "Drop" SET "sold" = "sold" - 1`,
    ],
  ],
  [
    'a unit that is sold but not paid',
    ['I1'],
    [
      `UPDATE "Hold" SET "state" = 'sold' WHERE ${HOLD_OF(PENDING)}`,
      `UPDATE "Drop" SET "sold" = "sold" + 1, "held" = "held" - 1`,
    ],
  ],
  [
    'an order with more units than it paid for',
    ['I1'],
    [
      `UPDATE "Hold" SET "quantity" = 2 WHERE ${HOLD_OF(PAID)}`,
      `UPDATE "Drop" SET "sold" = "sold" + 1, "quantity" = "quantity" + 1`,
    ],
  ],
  [
    'one payment for two orders',
    ['I2', 'I3'],
    [
      `DROP INDEX "Order_stripePaymentIntentId_key"`,
      `UPDATE "Order" o SET "stripePaymentIntentId" = p."stripePaymentIntentId" FROM "Order" p
        WHERE p.${PAID} AND o."status" = 'paid'`,
    ],
  ],
  [
    'one session for two orders',
    ['I2'],
    [
      `DROP INDEX "Order_stripeSessionId_key"`,
      `UPDATE "Order" o SET "stripeSessionId" = p."stripeSessionId" FROM "Order" p
        WHERE p.${PAID} AND o."status" = 'paid'`,
    ],
  ],
  [
    'a payment whose order is not paid',
    ['I1', 'I3'],
    [`UPDATE "Order" SET "status" = 'pending', "paidAt" = NULL WHERE ${PAID}`],
  ],
  [
    'a payment without an order that was refunded only in part',
    ['I3'],
    [
      sandboxRefund(100),
      `UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{metadata,orderId}', '"ord_nobody"')
        WHERE "kind" = 'payment_intent' AND "json"->'metadata'->>'orderId' = (SELECT "id" FROM "Order" WHERE ${PAID})`,
    ],
  ],
  [
    'a second payment for one order',
    ['I3'],
    [
      `INSERT INTO "SandboxObject" ("id", "kind", "json", "updatedAt")
       SELECT 'pi_twice', "kind", "json", "updatedAt" FROM "SandboxObject"
        WHERE "kind" = 'payment_intent' AND "json"->>'status' = 'succeeded' LIMIT 1`,
    ],
  ],
  [
    'an order that was paid with another amount',
    ['I3'],
    [
      `UPDATE "SandboxObject" SET "json" = jsonb_set("json", '{amount_received}', '1')
        WHERE "id" = (SELECT "stripePaymentIntentId" FROM "Order" WHERE ${PAID})`,
    ],
  ],
  [
    'a cent that neither the fee nor the payout contains',
    ['I4'],
    [WITHOUT_ORDER_RULES, `UPDATE "Order" SET "platformFeeCents" = "platformFeeCents" - 1 WHERE ${PAID}`],
  ],
  [
    'a negative fee',
    ['I4'],
    [
      WITHOUT_ORDER_RULES,
      `UPDATE "Order" SET "platformFeeCents" = -1, "sellerPayoutCents" = "amountCents" + 1 WHERE ${PENDING}`,
    ],
  ],
  [
    'an amount that is not price times quantity',
    ['I4'],
    [WITHOUT_ORDER_RULES, `UPDATE "Order" SET "unitPriceCents" = "unitPriceCents" + 1 WHERE ${PAID}`],
  ],
  [
    'a hold that was not released after its end',
    ['I5'],
    [`UPDATE "Hold" SET "expiresAt" = now() - interval '3 minutes' WHERE ${HOLD_OF(PENDING)}`],
  ],
  [
    'a refund that was not sent to Stripe',
    ['I5'],
    [
      `INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "reason", "requestedBy", "createdAt")
       SELECT 'ref_planted', "id", 100, 5, '', 'seller:1', now() - interval '1 hour' FROM "Order" WHERE ${PAID}`,
    ],
  ],
  ['an ended drop that was not archived', ['I6'], [`UPDATE "Drop" SET "endTime" = now() - interval '3 minutes'`]],
  ['a free seller with two drops running', ['I6'], [ANOTHER_DROP]],
  [
    'a statistic of the admin panel that is one too high',
    ['I9'],
    [`INSERT INTO "Tally" ("name", "amount") VALUES ('users', 1)`],
  ],
  [
    'a pro seller with four drops running',
    ['I6'],
    [`UPDATE "User" SET "plan" = 'pro'`, ANOTHER_DROP, ANOTHER_DROP.replace('danother', 'dthird')],
  ],
  [
    'an event that was not handled',
    ['I7'],
    [
      `INSERT INTO "WebhookEvent" ("id", "type", "objectId", "receivedAt")
       VALUES ('evt_planted', 'charge.refunded', 'ch_1', now() - interval '6 minutes')`,
    ],
  ],
  [
    'refunds of more than was paid',
    ['I8'],
    [
      `INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "reason", "requestedBy", "state")
       SELECT 'ref_planted', "id", "amountCents" + 1, 5, '', 'stripe', 'succeeded' FROM "Order" WHERE ${PAID}`,
    ],
  ],
  [
    'a payout that is marked as paid by hand but has no recorded payment',
    ['I10'],
    [
      `UPDATE "Transfer" SET "state" = 'sent', "sentCents" = "amountCents", "sentAt" = now(), "paidByHandAt" = now(),
              "stripeTransferId" = NULL, "destination" = NULL WHERE "orderId" = (SELECT "id" FROM "Order" WHERE ${PAID})`,
    ],
  ],
  [
    'a buyer of a late parcel who did not answer and was not refunded',
    ['I11'],
    [
      `INSERT INTO "ShippingDelay" ("orderId", "missedDay", "newDay", "answerBy")
       SELECT "id", now() - interval '20 days', now(), now() - interval '1 day' FROM "Order" WHERE ${PAID}`,
    ],
  ],
  [
    'units taken early that no follower holds',
    ['I1'],
    [
      `UPDATE "Drop" SET "earlyMinutes" = 30, "earlyUnits" = 2, "earlyTaken" = 1, "startedAt" = now() + interval '1 hour',
              "endTime" = now() + interval '25 hours'`,
    ],
  ],
  [
    'a parcel to a country that its zone does not contain',
    ['I1'],
    [
      `UPDATE "Drop" SET "shippingZones" = '[{"cents": 0, "countries": ["JP"]}]'`,
      `UPDATE "Order" SET "shipsTo" = 'JP', "shipCountry" = 'US' WHERE ${PAID}`,
      `UPDATE "Order" SET "shipsTo" = 'JP', "shipCountry" = 'JP' WHERE NOT (${PAID})`,
    ],
  ],
  [
    'refunds of more shipping than was paid',
    ['I8'],
    [
      `INSERT INTO "Refund" ("id", "orderId", "amountCents", "shippingCents", "platformFeeCents", "reason", "requestedBy")
       SELECT 'ref_planted', "id", 5, 5, 0, '', 'stripe' FROM "Order" WHERE ${PAID}`,
    ],
  ],
  ['a refunded amount without a refund', ['I8'], [`UPDATE "Order" SET "refundedCents" = 100 WHERE ${PAID}`]],
  [
    'a payout from which the card fee was not deducted',
    ['I4'],
    [`UPDATE "Order" SET "cardFeeCents" = "cardFeeCents" + 1 WHERE ${PAID}`],
  ],
  [
    'a transfer of more than the payout',
    ['I4', 'I8'],
    [`UPDATE "Transfer" SET "amountCents" = 100000 WHERE "orderId" = (SELECT "id" FROM "Order" WHERE ${PAID})`],
  ],
] as const)('finds %s', async (_what, names, breach) => {
  expect([...new Set(await brokenBy(breach))]).toEqual(names)
})

it('the doctor command names the failed invariant and exits with code 1', async () => {
  const doctor = () => {
    try {
      const env = { ...process.env, NODE_ENV: 'production' as const, __NEXT_PROCESSED_ENV: 'true' }
      return { status: 0, output: execFileSync(process.execPath, ['scripts/doctor.mjs'], { encoding: 'utf8', env }) }
    } catch (error) {
      const { status, stdout } = error as { status: number; stdout: string }
      return { status, output: stdout }
    }
  }
  const healthy = doctor()
  expect(healthy.status).toBe(0)
  for (const name of ['I1', 'I2', 'I3', 'I4', 'I5', 'I6', 'I7', 'I8', 'I9', 'I10', 'I11'])
    expect(healthy.output).toContain(`✓ ${name} `)
  await client.query(`UPDATE "Order" SET "refundedCents" = 100 WHERE ${PAID}`)
  const broken = doctor()
  expect(broken.status).toBe(1)
  expect(broken.output).toMatch(/✗ I8 .*\n {4}\{"id":"ord_/)
})
