import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { findBuyerOrder } from '@/lib/orders/queries'
import { findSellerDetails, findTrader, listTaxRates } from '@/lib/traders/queries'
import { saveSellerDetails } from '@/lib/traders/save-seller-details'
import { saveTaxRates } from '@/lib/traders/save-tax-rates'
import { sellerDetailsSchema } from '@/lib/traders/schema'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

afterAll(closeDatabase)

const business = sellerDetailsSchema.parse({
  kind: 'business',
  country: 'DE',
  legalName: 'Juno Prints GmbH',
  address: 'Lange Straße 1\n10115 Berlin',
  email: 'hello@juno.example',
  phone: '',
  register: 'Amtsgericht Berlin, HRB 12345',
  vatId: 'DE123456789',
  isCertified: true,
})
const privately = { ...business, kind: 'private' as const, country: 'FR' as const }

async function newSeller() {
  const user = await makeSeller({ passwordHash: await hashPassword('a-good-password') })
  return { user, ctx: contextFor(actorOf(user)) }
}

it('shows buyers the details of a business, but only the kind of a private seller', async () => {
  const { user, ctx } = await newSeller()
  expect(await findTrader(db(), user.id)).toBeNull()
  await saveSellerDetails(ctx, business)
  const { isCertified: _, ...shown } = business
  expect(await findTrader(db(), user.id)).toEqual(shown)
  await saveSellerDetails(ctx, privately)
  expect(await findTrader(db(), user.id)).toEqual({ kind: 'private' })
  expect(await findSellerDetails(db(), user.id)).toMatchObject({
    kind: 'private',
    country: 'FR',
    legalName: '',
    vatId: '',
  })
})

it('keeps for each order what its buyer saw', async () => {
  const { user, ctx } = await newSeller()
  const at = (day: number) => new Date(Date.UTC(2026, 9, day))
  const orders = await makePaidOrders(user, [{ createdAt: at(1) }, { createdAt: at(10) }, { createdAt: at(20) }])
  await saveSellerDetails(ctx, business)
  await saveSellerDetails(ctx, privately)
  const [first, second] = await db().sellerDetails.findMany({ where: { userId: user.id }, orderBy: { id: 'asc' } })
  await db().sellerDetails.update({ where: { id: first!.id }, data: { createdAt: at(5) } })
  await db().sellerDetails.update({ where: { id: second!.id }, data: { createdAt: at(15) } })
  const byDay = orders.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const shown = await Promise.all(byDay.map(async ({ token }) => (await findBuyerOrder(db(), token))?.trader?.kind))
  expect(shown).toEqual([undefined, 'business', 'private'])
})

it('writes a row and an audit entry only when something changed, and writes no name to the audit log', async () => {
  const { user, ctx } = await newSeller()
  await saveSellerDetails(ctx, business)
  await saveSellerDetails(ctx, business)
  expect(await db().sellerDetails.count({ where: { userId: user.id } })).toBe(1)
  const entries = await db().auditEntry.findMany({ where: { targetType: 'user', targetId: String(user.id) } })
  expect(entries).toEqual([
    expect.objectContaining({
      ...{ action: 'user.details', actorId: user.id },
      ...{ before: { kind: null, country: null }, after: { kind: 'business', country: 'DE' } },
    }),
  ])
})

it('asks for the password when the seller signed in some time ago', async () => {
  const { user, ctx } = await newSeller()
  const stale = { ...ctx, actor: { ...ctx.actor, steppedUpAt: null } }
  await expect(saveSellerDetails(stale, business)).rejects.toMatchObject({ code: 'PROOF_REQUIRED' })
  await expect(saveSellerDetails(stale, { ...business, password: 'wrong' })).rejects.toMatchObject({
    code: 'WRONG_PASSWORD',
  })
  await saveSellerDetails(stale, { ...business, password: 'a-good-password' })
  expect(await db().sellerDetails.count({ where: { userId: user.id } })).toBe(1)
})

it('the database refuses incomplete details of a business and impossible rates', async () => {
  const { user } = await newSeller()
  const data = { userId: user.id, kind: 'business' as const, country: 'DE', legalName: 'Juno', address: 'Berlin' }
  await expect(db().sellerDetails.create({ data })).rejects.toThrow('SellerDetails_complete')
  await expect(db().taxRate.create({ data: { userId: user.id, country: 'DE', rateBps: 5001 } })).rejects.toThrow(
    'TaxRate_range',
  )
})

it('replaces the VAT rates, even when two forms are sent at the same time', async () => {
  const { user, ctx } = await newSeller()
  await saveTaxRates(ctx, { rates: 'DE 19\nFR 20' })
  await Promise.all([saveTaxRates(ctx, { rates: 'DE 7' }), saveTaxRates(ctx, { rates: 'DE 7' })])
  expect(await listTaxRates(db(), user.id)).toEqual([{ country: 'DE', rateBps: 700, fromDay: '' }])
})

it('removes all details and rates when the account is deleted', async () => {
  const { user, ctx } = await newSeller()
  await saveSellerDetails(ctx, business)
  await saveTaxRates(ctx, { rates: 'DE 19' })
  const [order] = await makePaidOrders(user, [{ status: 'delivered' }])
  await deleteOwnAccount(ctx, { username: user.username ?? '', password: 'a-good-password' })
  expect(await db().sellerDetails.count({ where: { userId: user.id } })).toBe(0)
  expect(await db().taxRate.count({ where: { userId: user.id } })).toBe(0)
  expect((await findBuyerOrder(db(), order!.token))?.trader).toBeNull()
})
