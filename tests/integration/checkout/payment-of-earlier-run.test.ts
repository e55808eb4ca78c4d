import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { HOUR_MS } from '@/lib/kernel/time'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { openCheckout, pay, payAndSettle } from '@/tests/support/shop'

afterAll(closeDatabase)

it('a payment of a sold-out run that is found only in the next run gets a unit or is refunded', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, quantity: 1, productType: 'physical' })
  const { id: dropId, quantity, startedAt, endTime } = drop
  await db().dropRun.create({ data: { dropId, run: 1, quantity, startedAt, endTime } })
  // The hold is yielded, paid, and the unit is sold to someone else. Then we are down for more than a day.
  const first = await openCheckout(dropId)
  const { id: holdId } = await db().hold.findFirstOrThrow({ where: { dropId } })
  await releaseHold(systemContext('test'), holdId, 'yielded')
  await pay(first.url)
  const second = await openCheckout(dropId)
  await payAndSettle(second.url, second.sessionId)
  const ended = new Date(Date.now() - 25 * HOUR_MS)
  const times = { startedAt: new Date(ended.getTime() - 24 * HOUR_MS), endTime: ended }
  await db().drop.update({ where: { id: dropId }, data: { ...times, archivedAt: ended, isActive: false } })
  await db().dropRun.updateMany({ where: { dropId }, data: times })
  await relaunchDrop(contextFor(actorOf(seller)), { dropId, duration: 24, quantity: 5 })
  expect(['paid', 'refunded']).toContain(await settleCheckout(systemContext('test'), first.sessionId))
})
