import { removeDrop } from '@/lib/admin/remove-drop'
import { transaction } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { visitor } from '../../support/factories'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { sendToReview, type ReviewSource } from '@/lib/drops/send-to-review'
import { approveReview } from '@/lib/trust/approve-review'
import { listOpenReviews } from '@/lib/trust/queries'
import { rejectReview } from '@/lib/trust/reject-review'
import { toReviewView } from '@/lib/trust/view'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'

afterAll(closeDatabase)

const hold = { category: 'drugs', details: 'drugs: "cocaine" in title' } as const

async function admin() {
  return contextFor(actorOf(await makeSeller({ isAdmin: true })))
}

async function heldDrop(
  userId?: number,
  source: ReviewSource = 'create',
  category: 'drugs' | 'minors' | 'weapons' | 'violence' | 'fraud' = 'drugs',
) {
  const drop = await makeDrop(userId ? { userId } : {})
  await db().dropRun.create({
    data: { dropId: drop.id, run: 1, quantity: drop.quantity, startedAt: drop.startedAt, endTime: drop.endTime },
  })
  await transaction(visitor(), (tx) => sendToReview(tx, drop.id, source, { ...hold, category }))
  const review = await db().moderationReview.findFirstOrThrow({ where: { dropId: drop.id } })
  return { drop, reviewId: review.id }
}

const dropOf = (id: number) => db().drop.findUniqueOrThrow({ where: { id } })
const userOf = (id: number) => db().user.findUniqueOrThrow({ where: { id } })
const mailsTo = async (userId: number) =>
  db().outboxMail.findMany({ where: { to: (await userOf(userId)).email }, orderBy: { id: 'asc' } })

it('lists drops in review with the details for a decision', async () => {
  const { drop, reviewId } = await heldDrop()
  const row = (await listOpenReviews(database(), 1_000)).find(({ id }) => id === reviewId)
  expect(row && toReviewView(row)).toMatchObject({
    dropId: drop.id,
    identifier: drop.uniqueId,
    title: 'Test mug',
    categoryLabel: 'illegal drugs',
    source: 'create',
    strikes: 0,
    nextPenalty: 'warning',
  })
})

it('puts an approved drop on sale for its full duration, and notifies the seller', async () => {
  const { drop, reviewId } = await heldDrop()
  await approveReview(await admin(), { reviewId })
  const live = await dropOf(drop.id)
  expect(live.moderation).toBe('allowed')
  expect(live.endTime.getTime() - live.startedAt.getTime()).toBe(24 * HOUR_MS)
  expect(Math.abs(live.startedAt.getTime() - Date.now())).toBeLessThan(60_000)
  expect(await db().dropRun.findFirstOrThrow({ where: { dropId: drop.id } })).toMatchObject({ endTime: live.endTime })
  const mails = await mailsTo(drop.userId)
  expect(mails).toMatchObject([{ subject: 'We approved Test mug' }])
  expect(mails[0]?.text).not.toContain('discount codes')
  expect(await db().auditEntry.count({ where: { action: 'review.approve', targetId: String(drop.id) } })).toBe(1)
})

it('moves the ends of the codes with the start that a review has moved, and says so to the seller', async () => {
  const { drop, reviewId } = await heldDrop()
  const startedAt = new Date(Date.now() - 5 * HOUR_MS)
  await db().drop.update({ where: { id: drop.id }, data: { startedAt } })
  const code = (name: string, hours: number | null, endedAt: Date | null = null) => ({
    ...{ dropId: drop.id, code: name, percent: 10, endedAt },
    endsAt: hours === null ? null : new Date(startedAt.getTime() + hours * HOUR_MS),
  })
  await db().discountCode.createMany({
    data: [code('OVER', 3), code('LATER', 9), code('ALWAYS', null), code('ENDED', 3, new Date())],
  })
  await approveReview(await admin(), { reviewId })
  const live = await dropOf(drop.id)
  const codes = await db().discountCode.findMany({ where: { dropId: drop.id }, orderBy: { id: 'asc' } })
  const hoursAfter = (from: Date, end: Date | null) => end && (end.getTime() - from.getTime()) / HOUR_MS
  expect(codes.slice(0, 3).map(({ endsAt }) => hoursAfter(live.startedAt, endsAt))).toEqual([3, 9, null])
  expect(hoursAfter(startedAt, codes[3]!.endsAt)).toBe(3)
  expect((await mailsTo(drop.userId))[0]?.text).toContain('Your discount codes end later')
})

it('keeps the original end of a drop that was live before the review', async () => {
  const { drop, reviewId } = await heldDrop(undefined, 'edit')
  await approveReview(await admin(), { reviewId })
  expect(await dropOf(drop.id)).toMatchObject({ moderation: 'allowed', endTime: drop.endTime })
})

it('notifies the seller of an approved drop that ended during the review, but not of one that was removed', async () => {
  const [ended, removed] = [await heldDrop(), await heldDrop()]
  await db().drop.update({ where: { id: ended.drop.id }, data: { endTime: new Date() } })
  await removeDrop(await admin(), removed.drop.id)
  const ctx = await admin()
  for (const { reviewId } of [ended, removed]) await approveReview(ctx, { reviewId })
  expect((await mailsTo(ended.drop.userId))[0]?.text).toContain("ended during the review, so it isn't live")
  expect(await mailsTo(removed.drop.userId)).toEqual([])
})

it('keeps a drop hidden while another review of it is open', async () => {
  const { drop, reviewId } = await heldDrop()
  await transaction(visitor(), (tx) => sendToReview(tx, drop.id, 'edit', hold))
  await approveReview(await admin(), { reviewId })
  expect((await dropOf(drop.id)).moderation).toBe('review')
})

it('gives the full duration to a drop whose creation was approved while an edit of it was still in review', async () => {
  const { drop, reviewId } = await heldDrop()
  await transaction(visitor(), (tx) => sendToReview(tx, drop.id, 'edit', hold))
  await approveReview(await admin(), { reviewId })
  const edit = await db().moderationReview.findFirstOrThrow({ where: { dropId: drop.id, source: 'edit' } })
  await approveReview(await admin(), { reviewId: edit.id })
  const live = await dropOf(drop.id)
  expect(live.moderation).toBe('allowed')
  expect(Math.abs(live.startedAt.getTime() - Date.now())).toBeLessThan(60_000)
  // The approval of a later edit does not restart the duration.
  await transaction(visitor(), (tx) => sendToReview(tx, drop.id, 'edit', hold))
  const later = await db().moderationReview.findFirstOrThrow({ where: { dropId: drop.id, state: 'open' } })
  await approveReview(await admin(), { reviewId: later.id })
  expect(await dropOf(drop.id)).toMatchObject({ moderation: 'allowed', endTime: live.endTime })
})

it('removes a rejected drop and warns the seller, then suspends for thirty days, then bans', async () => {
  const seller = await makeSeller()
  const ctx = await admin()

  const first = await heldDrop(seller.id)
  expect(await rejectReview(ctx, { reviewId: first.reviewId })).toBe('warning')
  expect(await dropOf(first.drop.id)).toMatchObject({
    moderation: 'refused',
    isActive: false,
    hiddenAt: expect.any(Date),
  })
  expect((await userOf(seller.id)).isSuspended).toBe(false)

  const second = await heldDrop(seller.id)
  expect(await rejectReview(ctx, { reviewId: second.reviewId })).toBe('suspension')
  const suspended = await userOf(seller.id)
  expect(suspended).toMatchObject({
    isSuspended: true,
    suspensionReason: 'Prohibited content: illegal drugs',
  })
  const days = ((suspended.suspendedUntil?.getTime() ?? 0) - Date.now()) / DAY_MS
  expect(days).toBeGreaterThan(29.9)
  expect(days).toBeLessThanOrEqual(30)

  const third = await heldDrop(seller.id)
  expect(await rejectReview(ctx, { reviewId: third.reviewId })).toBe('ban')
  expect(await userOf(seller.id)).toMatchObject({ isSuspended: true, suspendedUntil: null })

  const mails = await mailsTo(seller.id)
  expect(
    mails.map(({ text }) => /This is a warning|suspended for 30 days|suspended permanently/.exec(text)?.[0]),
  ).toEqual(['This is a warning', 'suspended for 30 days', 'suspended permanently'])
  expect(await db().strike.count({ where: { userId: seller.id } })).toBe(3)
})

it('never shortens a suspension that lasts longer', async () => {
  const suspendedUntil = new Date(Date.now() + 90 * DAY_MS)
  const seller = await makeSeller({ isSuspended: true, suspendedUntil, suspensionReason: 'Fakes' })
  const ctx = await admin()
  for (const penalty of ['warning', 'suspension']) {
    const { reviewId } = await heldDrop(seller.id)
    expect(await rejectReview(ctx, { reviewId })).toBe(penalty)
  }
  expect(await userOf(seller.id)).toMatchObject({ isSuspended: true, suspendedUntil, suspensionReason: 'Fakes' })
})

it.each(['minors', 'weapons', 'violence', 'fraud'] as const)(
  'bans right away for severe content: %s',
  async (category) => {
    const { drop, reviewId } = await heldDrop(undefined, 'create', category)
    expect(await rejectReview(await admin(), { reviewId })).toBe('ban')
    expect(await userOf(drop.userId)).toMatchObject({ isSuspended: true, suspendedUntil: null })
  },
)

it('uses the category that the reviewer chose, not the scanner’s', async () => {
  const { drop, reviewId } = await heldDrop()
  await rejectReview(await admin(), { reviewId, category: 'counterfeit' })
  expect(await db().strike.findFirst({ where: { userId: drop.userId } })).toMatchObject({ category: 'counterfeit' })
})

it('accepts only one of several simultaneous decisions about a review', async () => {
  const { drop, reviewId } = await heldDrop()
  const [one, two] = [await admin(), await admin()]
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 5 }, () => rejectReview(one, { reviewId })),
    ...Array.from({ length: 5 }, () => approveReview(two, { reviewId })),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'REVIEW_DECIDED', status: 409 })
  }
  expect(await db().strike.count({ where: { userId: drop.userId } })).toBeLessThanOrEqual(1)
})

it('counts three simultaneous strikes as a first, a second and a third one', async () => {
  const seller = await makeSeller()
  const held = [await heldDrop(seller.id), await heldDrop(seller.id), await heldDrop(seller.id)]
  const ctx = await admin()
  const penalties = await Promise.all(held.map(({ reviewId }) => rejectReview(ctx, { reviewId })))
  expect(penalties.sort()).toEqual(['ban', 'suspension', 'warning'])
  expect(await userOf(seller.id)).toMatchObject({ isSuspended: true, suspendedUntil: null })
})

it('lets only administrators decide, and returns 404 for a missing review', async () => {
  const { reviewId } = await heldDrop()
  const seller = contextFor(actorOf(await makeSeller()))
  await expect(approveReview(seller, { reviewId })).rejects.toMatchObject({ status: 403 })
  await expect(rejectReview(seller, { reviewId })).rejects.toMatchObject({ status: 403 })
  await expect(approveReview(await admin(), { reviewId: 2_000_000_000 })).rejects.toMatchObject({ status: 404 })
})

it('two reviews of one drop that are rejected at the same time count as one strike', async () => {
  const { drop, reviewId } = await heldDrop()
  await transaction(visitor(), (tx) => sendToReview(tx, drop.id, 'edit', hold))
  const other = await db().moderationReview.findFirstOrThrow({ where: { dropId: drop.id, id: { not: reviewId } } })
  const ctx = await admin()
  const begun = await db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${drop.userId} FOR UPDATE`
    const all = [reviewId, other.id].map((id) => rejectReview(ctx, { reviewId: id }))
    const outcomes = Promise.allSettled(all)
    expect(await untilWaits('"User"', outcomes, 2)).toBe(true)
    return { outcomes }
  })
  const outcomes = await begun.outcomes
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'REVIEW_DECIDED' })
  expect(await db().strike.count({ where: { userId: drop.userId } })).toBe(1)
})
