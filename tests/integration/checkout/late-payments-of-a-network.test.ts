// A network that pays on pages which were kept open until a drop had sold out is refused after a while, because the
// platform pays the card fee of each refund (docs/product.md#limit-per-buyer).
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { assertFewRefundedPayments } from '@/lib/checkout/hold/assert-few-refunded-payments'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { makeDrop, visitor } from '@/tests/support/factories'
import { makeKeyedDrop, someKeys } from '@/tests/support/make-keyed-drop'
import { holdUnits, payFor, sellUnits } from '@/tests/support/sell-units'

afterAll(closeDatabase)

/** Pays for units that went back on sale, after other buyers have bought all units. */
async function payLate(dropId: number, payments: number, originKey: string): Promise<void> {
  const late: Awaited<ReturnType<typeof holdUnits>>[] = []
  for (let at = 0; at < payments; at += 1) {
    const held = await holdUnits(dropId, 1)
    await db().hold.update({ where: { id: held.holdId }, data: { originKey } })
    await releaseHold(visitor(), held.holdId, 'yielded')
    late.push(held)
  }
  await sellUnits(dropId, 1)
  for (const held of late) expect(await payFor(held)).toBe('no-unit')
}

test.each([
  ['a drop', () => makeDrop({ quantity: 1 })],
  ['a drop with keys', () => makeKeyedDrop(someKeys(1))],
])('25 payments after the sell-out of %s count like five that are refunded for another reason', async (_name, make) => {
  const originKey = newId('net')
  await payLate((await make()).id, 24, originKey)
  await expect(assertFewRefundedPayments(database(), { originKey })).resolves.toBeUndefined()
  await payLate((await make()).id, 1, originKey)
  await expect(assertFewRefundedPayments(database(), { originKey })).rejects.toMatchObject({ code: 'OFTEN_REFUNDED' })
})
