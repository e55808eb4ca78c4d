import { closeDatabase, db, pool } from '@/lib/infra/db'
import { makeDrop, makeSeller } from '@/tests/support/factories'
import { sellUnits } from '@/tests/support/sell-units'

type Table = 'Drop' | 'Order' | 'Transfer'

/** For each rule, assignments that break it and no rule before it. */
const BROKEN: Record<Table, Record<string, string>> = {
  Drop: {
    Drop_counters: `"views" = -1`,
    Drop_customSlug_shape: `"customSlug" = '42'`,
    Drop_duration: `"duration" = 25`,
    Drop_early: `"earlyMinutes" = 10, "earlyUnits" = 1`,
    Drop_early_taken: `"earlyTaken" = -1`,
    Drop_keys: `"keysGiven" = -1`,
    Drop_maxPerBuyer: `"maxPerBuyer" = 11`,
    Drop_numbered: `"isNumbered" = true, "productType" = 'service'`,
    Drop_open_edition: `"run" = 2`,
    Drop_optionName: `"optionName" = ''`,
    Drop_price: `"priceCents" = 49`,
    Drop_quantity: `"quantity" = 1000001`,
    Drop_shippingZones_check: `"shippingZones" = '[]'`,
    Drop_shipsWithin_check: `"shipsWithin" = 61`,
    Drop_times: `"endTime" = "startedAt"`,
  },
  Order: {
    Order_delivered: `"deliveredBy" = 'buyer', "deliveredAt" = NULL`,
    Order_discount: `"discountCents" = 1`,
    Order_discounted_price: `"discountCode" = 'FRIENDS', "discountCents" = 1, "unitPriceCents" = 49`,
    Order_late_not_shipped_check: `"lateRefundAt" = now(), "shippedAt" = now()`,
    Order_money: `"platformFeeCents" = "platformFeeCents" + 1`,
    Order_option: `"optionName" = 'Size'`,
    Order_paid: `"paidAt" = NULL`,
    Order_shipping: `"shipsTo" = 'DE', "productType" = 'service'`,
    Order_shipsBy_physical_check: `"shipsTo" = NULL, "productType" = 'service', "shipsBy" = now()`,
    Order_tax: `"taxCents" = -1`,
  },
  Transfer: {
    Transfer_debt: `"feeOwedCents" = -1`,
    Transfer_hand: `"paidByHandAt" = now()`,
    Transfer_money: `"deductedCents" = -1`,
    Transfer_sent: `"reversedAtStripeCents" = 1`,
  },
}
const CASES = Object.entries(BROKEN).flatMap(([table, rules]) =>
  Object.entries(rules).map(([rule, assignments]) => ({ table: table as Table, rule, assignments })),
)

let rows: Record<Table, string>

beforeAll(async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  await sellUnits(drop.id, 1)
  const open = await makeDrop({ userId: seller.id, isOpenEdition: true })
  const ofOrder = `(SELECT "id" FROM "Order" WHERE "dropId" = ${drop.id})`
  rows = {
    Drop: `"id" = ${open.id}`,
    Order: `"id" = ${ofOrder}`,
    Transfer: `"orderId" = ${ofOrder}`,
  }
})

afterAll(closeDatabase)

describe('the rules of rows that a trigger keeps', () => {
  test.each(CASES)('$rule', async ({ table, rule, assignments }) => {
    const breaking = pool().query(`UPDATE "${table}" SET ${assignments} WHERE ${rows[table]}`)
    await expect(breaking).rejects.toMatchObject({ code: '23514', table, constraint: rule })
  })

  test.each(Object.keys(BROKEN) as Table[])('each rule of %s has a case above', async (table) => {
    const source = await sourceOf(table)
    const named = [...source.matchAll(/THEN '([^']+)'/g)].map(([, rule]) => rule)
    expect(named).toEqual(Object.keys(BROKEN[table]))
  })

  // A statement that sets only one column would otherwise break the rules about it.
  test.each(Object.keys(BROKEN) as Table[])('the trigger of %s runs for each column of its rules', async (table) => {
    const read = new Set([...(await sourceOf(table)).matchAll(/\br\."(\w+)"/g)].map(([, column]) => column))
    const { rows: found } = await pool().query<{ column: string }>(
      `SELECT a.attname AS "column" FROM pg_trigger t
         JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum = ANY (t.tgattr)
        WHERE t.tgname = $1`,
      [`${table}_rules`],
    )
    expect(found.map(({ column }) => column).sort()).toEqual([...read].sort())
  })

  test('a new row that breaks a rule is refused', async () => {
    const seller = await makeSeller()
    await expect(makeDrop({ userId: seller.id, priceCents: 49 })).rejects.toThrow('Drop_price')
    expect(await db().drop.count({ where: { userId: seller.id } })).toBe(0)
  })
})

/** Returns the source of the function that finds the broken rule of a row of this table. */
async function sourceOf(table: Table): Promise<string> {
  const { rows: found } = await pool().query<{ source: string }>(
    `SELECT p.prosrc AS "source" FROM pg_proc p JOIN pg_class c ON c.reltype = p.proargtypes[0]
      WHERE p.proname = 'broken_rule' AND c.relname = $1`,
    [table],
  )
  const [{ source } = { source: '' }] = found
  return source
}
