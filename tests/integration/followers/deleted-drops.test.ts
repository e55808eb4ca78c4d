import { deleteDrop } from '@/lib/drops/delete-drop'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

const later = (ms: number) => new Date(Date.now() + ms)
const notify = () => notifyFollowers(systemContext('followers'))

async function sellerWithFollower() {
  const seller = await makeSeller()
  const email = `follower-${seller.id}@example.com`
  const consent = { confirmedAt: new Date(), page: '/', consentText: 'Yes' }
  await db().follower.create({ data: { sellerId: seller.id, email, mailbox: email, tokenHash: email, ...consent } })
  const startDrop = () => makeDrop({ userId: seller.id, startedAt: later(-MINUTE_MS), endTime: later(DAY_MS) })
  return { email, startDrop, ctx: contextFor(actorOf(seller)) }
}

it('queued emails about a drop that was deleted since are not sent', async () => {
  const { email, startDrop, ctx } = await sellerWithFollower()
  const drop = await startDrop()
  await notify()
  expect(await db().outboxMail.count({ where: { to: email } })).toBe(1)
  await deleteDrop(ctx, { dropId: drop.id })
  await notify()
  expect(await db().outboxMail.count({ where: { to: email } })).toBe(0)
})

it('a seller who deletes each drop after its announcement sends a follower no more than 20 emails a day', async () => {
  const { email, startDrop, ctx } = await sellerWithFollower()
  for (let round = 0; round < 25; round += 1) {
    const drop = await startDrop()
    await notify()
    await db().outboxMail.updateMany({ where: { to: email, sentAt: null }, data: { sentAt: new Date() } })
    await deleteDrop(ctx, { dropId: drop.id })
  }
  expect(await db().outboxMail.count({ where: { to: email } })).toBe(20)
})
