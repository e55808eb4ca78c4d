import { editDropSchema } from '@/lib/drops/schema'
import { editDrop } from '@/lib/drops/edit-drop'
import { closeDatabase, db } from '@/lib/infra/db'
import { approveReview } from '@/lib/trust/approve-review'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

it('a seller cannot fill the review queue with edits of one drop', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const edit = (fields: object) =>
    editDrop(contextFor(actorOf(seller)), { dropId: drop.id, fields: editDropSchema.parse(fields), images: [] })
  const open = () => db().moderationReview.findMany({ where: { dropId: drop.id, state: 'open' } })
  const refused = { code: 'REVIEW_WAITS', status: 409 }
  for (let at = 0; at < 5; at += 1) await edit({ description: `A fake review of a mug, number ${at}.` })
  await expect(edit({ description: 'A fake review of a mug.' })).rejects.toMatchObject(refused)
  expect(await open()).toHaveLength(5)
  expect((await edit({ quantity: 11 })).quantity).toBe(11)
  const [first] = await open()
  await approveReview(contextFor(actorOf(await makeSeller({ isAdmin: true }))), { reviewId: first!.id })
  await edit({ description: 'A fake review of a mug.' })
  expect(await open()).toHaveLength(5)
})
