import 'server-only'
import type { Database } from '@/lib/infra/db'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { listDrops, listUsers } from './queries'
import type { PanelSearch } from './schema'
import type { SearchHitView, SearchView } from './view'

/** The highest number of hits of each kind. The list of that kind shows all of them. */
export const MAX_HITS = 5

type Reader = Pick<Database, 'sql'>

/**
 * Finds what an administrator searches for: users, drops, orders, payouts and disputes, at most five of each. A part of
 * a username, of a seller's email address or of a title is enough. A buyer's email address, an id, a link, an order
 * number and a Stripe id have to be typed in full. Each look-up uses an index (docs/product.md#admin-search).
 */
export async function searchPanel(ctx: Reader, { q }: PanelSearch): Promise<SearchView> {
  const typed = readTyped(q)
  const [users, drops, orders, payouts, disputes] = await Promise.all([
    findUsers(ctx, typed),
    findDrops(ctx, typed),
    findOrders(ctx, typed),
    findPayouts(ctx, typed),
    findDisputes(ctx, typed),
  ])
  return { users, drops, orders, payouts, disputes }
}

type Typed = {
  q: string
  /** The typed number if it can be an id. Otherwise 0, which no row has as its id. */
  id: number
  /** The identifier of the drop if a link to a drop was typed. Otherwise the typed words. */
  link: string
}

function readTyped(q: string): Typed {
  const number = /^#?(\d{1,10})$/.exec(q)?.[1]
  const id = number && Number(number) <= MAX_DATABASE_INT ? Number(number) : 0
  return { q, id, link: /\/drop\/([A-Za-z0-9-]{1,60})/.exec(q)?.[1] ?? q }
}

async function findUsers(ctx: Reader, { q, id }: Typed): Promise<SearchHitView[]> {
  type Row = { id: number; username: string | null; email: string }
  const [exact, listed] = await Promise.all([
    ctx.sql<Row>(
      'admin-search-users',
      `SELECT "id", "username", "email" FROM "User" WHERE "deletedAt" IS NULL AND "id" = ANY(ARRAY(
         SELECT "id" FROM "User" WHERE "id" = :id
         UNION SELECT "id" FROM "User" WHERE "stripeAccountId" = :q
         UNION SELECT "id" FROM "User" WHERE "stripeCustomerId" = :q))`,
      { id, q },
    ),
    listUsers(ctx, { q, limit: MAX_HITS }),
  ])
  return firstOfEach([...exact, ...listed]).map((user) => ({
    label: user.username ? `@${user.username}` : user.email,
    detail: `${user.email} · user ${user.id}`,
    href: `/admin?${new URLSearchParams({ tab: 'users', q: user.email })}`,
  }))
}

async function findDrops(ctx: Reader, { q, id, link }: Typed): Promise<SearchHitView[]> {
  type Row = { id: number; title: string; hiddenAt: Date | null; sellerEmail: string }
  const [exact, listed] = await Promise.all([
    ctx.sql<Row>(
      'admin-search-drops',
      `SELECT d."id", d."title", d."hiddenAt", u."email" AS "sellerEmail"
         FROM "Drop" d JOIN "User" u ON u."id" = d."userId" WHERE d."id" = ANY(ARRAY(
         SELECT "id" FROM "Drop" WHERE "id" = :id
         UNION SELECT "id" FROM "Drop" WHERE "uniqueId" = :link
         UNION SELECT "id" FROM "Drop" WHERE lower("customSlug") = lower(:link)))`,
      { id, link },
    ),
    listDrops(ctx, { q, limit: MAX_HITS }),
  ])
  return firstOfEach<Row>([...exact, ...listed]).map(({ id: dropId, title, hiddenAt, sellerEmail }) => ({
    label: title,
    detail: `${hiddenAt ? 'deleted drop' : 'drop'} ${dropId} · ${sellerEmail}`,
    href: `/admin?${new URLSearchParams({ tab: 'drops', q: `#${dropId}`, ...(hiddenAt ? { show: 'removed' } : {}) })}`,
  }))
}

const orderPage = (orderId: string) => `/admin/orders?${new URLSearchParams({ q: orderId })}`

const orderLabel = (orderId: string) => `#${referenceOf(orderId)}`

async function findOrders(ctx: Reader, { q }: Typed): Promise<SearchHitView[]> {
  type Row = { id: string; status: string; dropTitle: string; amountCents: number; buyerEmail: string | null }
  // Each index gets its own look-up, because an OR would scan the whole table. Of a buyer with very many orders, only
  // the newest 200 are read.
  const rows = await ctx.sql<Row>(
    'admin-search-orders',
    `SELECT o."id", o."status", o."dropTitle", o."amountCents", o."buyerEmail" FROM "Order" o
      WHERE o."id" = ANY(ARRAY(
        SELECT "id" FROM "Order" WHERE "id" = :q
        UNION SELECT "id" FROM "Order" WHERE upper(right("id", 8)) = upper(:number)
        UNION SELECT "id" FROM "Order" WHERE "stripeSessionId" = :q
        UNION SELECT "id" FROM "Order" WHERE "stripePaymentIntentId" = :q
        UNION SELECT "id" FROM "Order" WHERE "stripeChargeId" = :q
        UNION SELECT "orderId" FROM "Refund" WHERE "stripeRefundId" = :q
        UNION (SELECT "id" FROM "Order" WHERE "buyerEmail" IS NOT NULL AND lower("buyerEmail") = lower(:q)
                ORDER BY "createdAt" DESC LIMIT 200)))
      ORDER BY o."createdAt" DESC, o."id" DESC LIMIT ${MAX_HITS}`,
    { q, number: q.replace(/^#/, '') },
  )
  return rows.map(({ id, status, dropTitle, amountCents, buyerEmail }) => ({
    label: `${orderLabel(id)} ${dropTitle}`,
    detail: [status, formatUsd(amountCents), buyerEmail].filter(Boolean).join(' · '),
    href: orderPage(id),
  }))
}

async function findPayouts(ctx: Reader, { q }: Typed): Promise<SearchHitView[]> {
  type Row = { orderId: string; state: string; stripeTransferId: string | null }
  const rows = await ctx.sql<Row>(
    'admin-search-payouts',
    `SELECT "orderId", "state", "stripeTransferId" FROM "Transfer" WHERE "id" = :q
      UNION SELECT "orderId", "state", "stripeTransferId" FROM "Transfer" WHERE "stripeTransferId" = :q LIMIT ${MAX_HITS}`,
    { q },
  )
  return rows.map(({ orderId, state, stripeTransferId }) => ({
    label: `Payout of order ${orderLabel(orderId)}`,
    detail: [state, stripeTransferId].filter(Boolean).join(' · '),
    href: orderPage(orderId),
  }))
}

async function findDisputes(ctx: Reader, { q }: Typed): Promise<SearchHitView[]> {
  type Row = { orderId: string; status: string; amountCents: number }
  const rows = await ctx.sql<Row>(
    'admin-search-disputes',
    `SELECT "orderId", "status", "amountCents" FROM "Dispute" WHERE "id" = :q
      UNION SELECT "orderId", "status", "amountCents" FROM "Dispute" WHERE "stripeDisputeId" = :q LIMIT ${MAX_HITS}`,
    { q },
  )
  return rows.map(({ orderId, status, amountCents }) => ({
    label: `Dispute of order ${orderLabel(orderId)}`,
    detail: `${status} · ${formatUsd(amountCents)}`,
    href: orderPage(orderId),
  }))
}

/**
 * Returns the first row of each id, at most MAX_HITS. The exact matches come first in `rows`, so they stay before
 * partial matches.
 */
function firstOfEach<Row extends { id: number }>(rows: Row[]): Row[] {
  const byId = new Map<number, Row>()
  for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row)
  return [...byId.values()].slice(0, MAX_HITS)
}
