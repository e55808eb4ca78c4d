// Checks the search over everything in the admin panel (docs/product.md#admin-search).
import { listDrops } from '@/lib/admin/queries'
import { panelSearchSchema } from '@/lib/admin/schema'
import { MAX_HITS, searchPanel } from '@/lib/admin/search-panel'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { getPaidOrder } from '@/lib/checkout/settlement/get-paid-order'
import { makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const find = (q: string) => searchPanel(database(), { q })

it('finds a user by name, email, id and Stripe account', async () => {
  const user = await makeSeller({ stripeAccountId: `acct_${Date.now()}` })
  const href = `/admin?${new URLSearchParams({ tab: 'users', q: user.email })}`
  for (const q of [
    user.username!,
    `@${user.username}`,
    user.email,
    String(user.id),
    `#${user.id}`,
    user.stripeAccountId!,
  ]) {
    expect([q, (await find(q)).users[0]]).toEqual([q, expect.objectContaining({ label: `@${user.username}`, href })])
  }
  await db().user.update({ where: { id: user.id }, data: { deletedAt: new Date() } })
  expect((await find(String(user.id))).users).toEqual([])
})

it('finds a drop by title, id, link and pasted URL, even after its removal', async () => {
  const slug = `Link-${Date.now().toString(36)}`
  const drop = await makeDrop({ title: `Teapot ${slug.slice(5)}`, customSlug: slug.toLowerCase() })
  const pastedUrl = `https://shop.example/drop/${drop.uniqueId}?ref=1`
  for (const q of [drop.title, String(drop.id), slug, drop.uniqueId, pastedUrl]) {
    expect([q, (await find(q)).drops[0]?.label]).toEqual([q, drop.title])
  }
  await db().drop.update({ where: { id: drop.id }, data: { hiddenAt: new Date(), isActive: false } })
  expect((await find(drop.uniqueId)).drops[0]?.href).toContain('show=removed')
})

it('a drop in the results leads to exactly this drop, even when others have the same title', async () => {
  const title = `Twin ${Date.now().toString(36)}`
  const [one] = [await makeDrop({ title }), await makeDrop({ title })]
  const hit = (await find(String(one.id))).drops[0]!
  const q = new URL(hit.href, 'http://localhost').searchParams.get('q')!
  expect((await listDrops(database(), { q, limit: 10 })).map(({ id }) => id)).toEqual([one.id])
})

it('finds an order by reference, email and Stripe ids, and its payout and dispute by their Stripe ids', async () => {
  const drop = await makeDrop()
  const { url, sessionId } = await openCheckout(drop.id)
  await pay(url)
  await getPaidOrder(visitor(), sessionId)
  const order = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  const stripeTransferId = `tr_${order.id}`
  await db().transfer.update({ where: { orderId: order.id }, data: { stripeTransferId } })
  const dispute = { id: `d_${order.id}`, stripeDisputeId: `du_${order.id}`, amountCents: 2400 }
  await db().dispute.create({ data: { ...dispute, orderId: order.id, reason: 'fraudulent', status: 'lost' } })
  const href = `/admin/orders?q=${order.id}`
  const reference = order.id.slice(-8)
  for (const q of [
    order.id,
    reference.toLowerCase(),
    `#${reference}`,
    order.buyerEmail!.toUpperCase(),
    order.stripeSessionId!,
    order.stripePaymentIntentId!,
  ]) {
    expect([q, (await find(q)).orders.some((hit) => hit.href === href)]).toEqual([q, true])
  }
  expect((await find(stripeTransferId)).payouts).toEqual([expect.objectContaining({ href })])
  expect((await find(dispute.stripeDisputeId)).disputes).toEqual([expect.objectContaining({ href })])
})

it('returns at most five drops', async () => {
  const word = `many${Date.now().toString(36)}`
  const seller = await makeSeller()
  for (let at = 0; at < MAX_HITS + 2; at += 1) await makeDrop({ title: `${word} ${at}`, userId: seller.id })
  expect((await find(word)).drops).toHaveLength(MAX_HITS)
})

it.each(['%', "'; --", '\\', '٢٤', '99999999999', 'x'.repeat(200)])('finds nothing for %j', async (q) => {
  expect(await find(q)).toEqual({ users: [], drops: [], orders: [], payouts: [], disputes: [] })
})

it.each(['', '   ', 'x'.repeat(201), 'a\u0000b', undefined])('refuses the query %j', (q) => {
  expect(panelSearchSchema.safeParse({ q }).success).toBe(false)
})

it('refuses other parameters', () => {
  expect(panelSearchSchema.safeParse({ q: ' a ' })).toMatchObject({ data: { q: 'a' } })
  expect(panelSearchSchema.safeParse({ q: 'a', limit: '500' }).success).toBe(false)
})
