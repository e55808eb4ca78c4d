import pg from 'pg'

/** @typedef {{ users: number, drops: number, orders: number }} Size */

/**
 * Returns the sizes of the small and the large database that a benchmark compares. With a scale of 0.1, the large one
 * is a tenth as large.
 * @param {number} scale
 * @returns {Size[]}
 */
export const sizesToCompare = (scale) => [
  { users: 1_000, drops: 1_000, orders: 3_000 },
  { users: 1_000_000 * scale, drops: 1_000_000 * scale, orders: 3_000_000 * scale },
]

/**
 * Adds this many users, drops and orders to a database. A million users, a million drops and three million orders take
 * several minutes and 5 GB of disk.
 * @param {Size & { databaseUrl: string }} options
 */
export async function fillDatabase({ databaseUrl, users, drops, orders }) {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  const run = (/** @type {string} */ text, /** @type {unknown[]} */ values = []) => client.query(text, values)
  /** @type {(text: string, values?: unknown[]) => Promise<number>} */
  const readNumber = async (text, values) => Number(Object.values((await run(text, values)).rows[0])[0])
  try {
    const from = await readNumber('SELECT COALESCE(max("id"), 0)::int FROM "User"')
    await run(
      `INSERT INTO "User" ("username", "firstName", "lastName", "email", "passwordHash", "plan", "isSuspended", "createdAt", "updatedAt")
       SELECT substr(md5(n::text), 1, 10) || '_' || (n % 10), 'Sam', 'Seller', md5('mail' || n) || '@example.com', '',
              (CASE WHEN n % 5 = 0 THEN 'pro' ELSE 'free' END)::"Plan", n % 1000 = 0,
              now() - make_interval(mins => $1 - n), now()
         FROM generate_series(1, $1) AS n ON CONFLICT DO NOTHING`,
      [users],
    )
    const count = await readNumber('SELECT count(*)::int FROM "User" WHERE "id" > $1', [from])
    const dropFrom = await readNumber('SELECT COALESCE(max("id"), 0)::int FROM "Drop"')
    // One drop in seven was ended early, because otherwise every drop of a small database would still be running.
    await run(
      `INSERT INTO "Drop" ("uniqueId", "userId", "title", "description", "productType", "priceCents", "quantity", "sold", "duration",
                           "startedAt", "endTime", "views", "purchases", "isActive", "isFeatured", "archivedAt", "createdAt", "updatedAt")
       SELECT 'd' || substr(md5('drop' || n), 1, 9) || n, s."id",
              (ARRAY['Mug', 'Print', 'Candle', 'Vase', 'Poster', 'Bowl', 'Scarf', 'Zine'])[1 + n % 8] || ' ' || substr(md5('title' || n), 1, 8),
              'A thing.', (ARRAY['physical', 'digital', 'service'])[1 + n % 3]::"ProductType", 500 + n % 9000, 20, n % 20, 24,
              now() - make_interval(mins => ($1 - n) / 4), now() - make_interval(mins => ($1 - n) / 4) + interval '24 hours',
              n % 500, n % 20, ($1 - n) / 4 < 1440 AND n % 7 > 0, n % 5000 = 0,
              CASE WHEN ($1 - n) / 4 < 1440 AND n % 7 > 0 THEN NULL
                   ELSE LEAST(now(), now() - make_interval(mins => ($1 - n) / 4) + interval '24 hours') END,
              now() - make_interval(mins => ($1 - n) / 4), now()
         FROM generate_series(1, $1) AS n
         JOIN (SELECT "id", row_number() OVER () AS "nth" FROM "User" WHERE "id" > $2) s ON s."nth" = 1 + n % $3
       ON CONFLICT DO NOTHING`,
      [drops, from, count],
    )
    await run(
      'CREATE TEMP TABLE filled AS SELECT "id", "userId", "title", row_number() OVER () AS "nth" FROM "Drop" WHERE "id" > $1',
      [dropFrom],
    )
    await run('CREATE UNIQUE INDEX ON filled ("nth")')
    await run(
      `WITH numbers AS (
         SELECT n, f.* FROM generate_series(1, $1) AS n
           JOIN filled f ON f."nth" = 1 + n % (SELECT count(*) FROM filled)
       ), holds AS (
         INSERT INTO "Hold" ("id", "dropId", "run", "mode", "buyerKey", "quantity", "state", "createdAt", "expiresAt", "settledAt")
         SELECT 'hold_fill' || n, "id", 1, 'hosted', 'b' || n, 1, 'sold', now() - make_interval(mins => ($1 - n) / 6), now(), now() FROM numbers
       )
       INSERT INTO "Order" ("id", "token", "holdId", "dropId", "sellerId", "status", "dropTitle", "productType", "quantity",
                            "unitPriceCents", "amountCents", "platformFeeBps", "platformFeeCents", "sellerPayoutCents", "sellerPlan",
                            "buyerEmail", "createdAt", "paidAt")
       SELECT 'ord_fill' || n, md5('token' || n), 'hold_fill' || n, "id", "userId", 'shipped', "title", 'physical', 1, 2000, 2000, 500, 100, 1900,
              'free', 'buyer' || n || '@example.com', now() - make_interval(mins => ($1 - n) / 6), now() - make_interval(mins => ($1 - n) / 6)
         FROM numbers`,
      [orders],
    )
    await run('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
