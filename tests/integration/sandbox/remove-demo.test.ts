import { readdirSync } from 'node:fs'
import path from 'node:path'
import { closeDatabase, db } from '@/lib/infra/db'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { systemContext } from '@/lib/infra/context'
import { HOUR_MS } from '@/lib/kernel/time'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { DEMO_EMAILS } from '@/lib/operations/remove-demo.mjs'
import { demoAdmin, demoSellers } from '@/prisma/seed/demo-data'
import { seedDemo } from '@/prisma/seed/seed-demo'
import { makeDrop } from '@/tests/support/factories'
import { runNode } from '@/tests/support/run-node'
import { inDatabase } from '@/tests/support/scratch-databases'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const url = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const removeDemo = () => runNode(['scripts/remove-demo.mjs'], {})

it('DEMO_EMAILS lists exactly the accounts of the demo', () =>
  expect(DEMO_EMAILS).toEqual([demoAdmin, ...demoSellers].map(({ email }) => email)))

it('removes the demo and its sandbox sales, and nothing else', async () => {
  await seedDemo()
  const ofDemo = await db().drop.findFirstOrThrow({ where: { endTime: { gt: new Date() }, productType: 'physical' } })
  const own = await makeDrop()
  for (const { id } of [ofDemo, own]) await pay((await openCheckout(id)).url)
  // The removal must also delete the rows of a late parcel and of a changed shipping address.
  const { id: orderId } = await db().order.findFirstOrThrow({ where: { dropId: ofDemo.id, paidAt: { not: null } } })
  const soon = new Date(Date.now() + HOUR_MS)
  await db().shippingDelay.create({ data: { orderId, missedDay: new Date(), newDay: soon, answerBy: soon } })
  await db().addressChange.create({ data: { orderId, version: 1, before: {}, after: {} } })
  const { code, stdout } = await removeDemo()
  expect([code, stdout]).toEqual([0, expect.stringContaining(`Removed with their drops and orders: ${DEMO_EMAILS[0]}`)])
  expect(await db().user.count({ where: { email: { in: DEMO_EMAILS } } })).toBe(0)
  expect((await db().drop.findMany()).map(({ id }) => id)).toEqual([own.id])
  expect(await db().order.count({ where: { dropId: own.id, amountCents: own.priceCents } })).toBe(1)
  const findings = await inDatabase(url, checkInvariants)
  expect(findings.flatMap(({ breaches }) => breaches)).toEqual([])
  // The sweep removes files that no row uses, but only once they are old enough.
  await db().storedObject.updateMany({ data: { createdAt: new Date(Date.now() - HOUR_MS) } })
  await sweepOrphans(systemContext('test'))
  const uploads = path.join(process.env.DATA_DIR ?? '', 'uploads')
  expect(readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())).toEqual([])
  expect(await removeDemo()).toMatchObject({ code: 0, stdout: '✓ There is no demo here.\n' })
}, 300_000)

it('keeps an account that sold for real money', async () => {
  await db().user.deleteMany({ where: { drops: { none: {} } } })
  const seller = await db().user.findFirstOrThrow()
  await db().user.update({ where: { id: seller.id }, data: { email: 'mira@lastcall.example' } })
  await db().order.updateMany({ where: { sellerId: seller.id }, data: { stripePaymentIntentId: 'pi_real' } })
  const { code, stdout } = await removeDemo()
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('Kept, because they sold for real money: mira@lastcall.example'),
  ])
  expect(await db().order.count({ where: { sellerId: seller.id } })).toBe(1)
})
