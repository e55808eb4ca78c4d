import ReportPage from '@/app/(buyer)/drop/[identifier]/report/page'
import { updateAccount } from '@/lib/accounts/update-account'
import { listDrops, listUsers } from '@/lib/admin/queries'
import { rejectDrop } from '@/lib/admin/reject-drop'
import { updateDrop } from '@/lib/admin/update-drop'
import { findPublicDrop } from '@/lib/drops/queries'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { isSevereCategory } from '@/lib/trust/rules'
import { approveReview } from '@/lib/trust/approve-review'
import { decideAppeal } from '@/lib/trust/decide-appeal'
import { findSuspension, listOpenAppeals, listOpenReviews } from '@/lib/trust/queries'
import { reportDrop } from '@/lib/trust/report-drop'
import { submitAppeal } from '@/lib/trust/submit-appeal'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay } from '@/tests/support/shop'

afterAll(closeDatabase)

const asAdmin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const userOf = (id: number) => db().user.findUniqueOrThrow({ where: { id } })
const dropOf = (id: number) => db().drop.findUniqueOrThrow({ where: { id } })
const reviewsOf = (dropId: number) => db().moderationReview.findMany({ where: { dropId }, orderBy: { id: 'asc' } })
const lastMailTo = async (userId: number) =>
  db().outboxMail.findFirstOrThrow({ where: { to: (await userOf(userId)).email }, orderBy: { id: 'desc' } })
/** Returns the context of a user who has just signed in. */
const asSeller = async (userId: number) => contextFor(actorOf(await userOf(userId)))

async function report(dropId: number, category: 'counterfeit' | 'minors' = 'counterfeit', ctx = visitor()) {
  await reportDrop(ctx, dropId, { category, details: 'This is a copy of mine.' })
  const [review] = (await reviewsOf(dropId)).slice(-1)
  return review!.id
}

describe('a report', () => {
  it('has a form that names the drop, but not while its texts are withheld', async () => {
    const drop = await makeDrop({ title: 'A withheld title' })
    const subject = async () => {
      const params = Promise.resolve({ identifier: drop.uniqueId })
      const page = await ReportPage({ params, searchParams: Promise.resolve({}) })
      return (page.props as { subject: string }).subject
    }
    expect(await subject()).toBe('A withheld title')
    for (const moderation of ['review', 'refused'] as const) {
      await db().drop.update({ where: { id: drop.id }, data: { moderation } })
      expect(await subject()).toBe('Not available')
    }
  })

  it('waits in the queue while the drop stays on sale', async () => {
    const drop = await makeDrop()
    const reviewId = await report(drop.id)
    expect(await findPublicDrop(database(), drop.uniqueId)).toMatchObject({ moderation: 'allowed' })
    expect((await openCheckout(drop.id)).url).toContain('/sandbox/checkout/')
    expect((await listOpenReviews(database(), 1_000)).find(({ id }) => id === reviewId)).toMatchObject({
      dropId: drop.id,
      source: 'report',
      category: 'counterfeit',
      details: 'This is a copy of mine.',
    })
  })

  it('is stored once a day per network and drop, and a drop gets at most 20 open reports', async () => {
    const drop = await makeDrop()
    const ctx = visitor()
    await report(drop.id, 'counterfeit', ctx)
    await report(drop.id, 'counterfeit', { ...ctx, requestId: newId('req') })
    expect(await reviewsOf(drop.id)).toHaveLength(1)
    for (let stranger = 0; stranger < 25; stranger += 1) await report(drop.id)
    expect(await reviewsOf(drop.id)).toHaveLength(20)
  })

  it('is one of at most 20, even when many arrive at the same moment', async () => {
    const drop = await makeDrop()
    const all = Array.from({ length: 60 }, () =>
      reportDrop(visitor(), drop.id, { category: 'minors', details: 'Look.' }),
    )
    await Promise.all(all)
    expect(await reviewsOf(drop.id)).toHaveLength(20)
  })

  it('of a severe violation is never kept out by mild ones, and comes first in the queue', async () => {
    const drop = await makeDrop()
    for (let stranger = 0; stranger < 20; stranger += 1) await report(drop.id)
    const severe = await report(drop.id, 'minors')
    expect((await reviewsOf(drop.id)).map(({ category }) => category).slice(-1)).toEqual(['minors'])
    const queue = await listOpenReviews(database(), 1_000)
    const isSevere = queue.map(({ category }) => isSevereCategory(category))
    expect(queue.map(({ id }) => id)).toContain(severe)
    expect(isSevere.lastIndexOf(true)).toBeLessThan(isSevere.indexOf(false))
  })

  it('changes nothing when it is dismissed: the drop stays live, and the seller gets no email', async () => {
    const drop = await makeDrop()
    await approveReview(await asAdmin(), { reviewId: await report(drop.id) })
    expect(await dropOf(drop.id)).toMatchObject({ moderation: 'allowed', endTime: drop.endTime, isActive: true })
    expect(await db().outboxMail.count({ where: { to: (await userOf(drop.userId)).email } })).toBe(0)
    expect(await db().strike.count({ where: { userId: drop.userId } })).toBe(0)
  })

  it('that is upheld removes the drop and ends open checkouts, but paid orders stay', async () => {
    const drop = await makeDrop({ quantity: 5 })
    const paid = await openCheckout(drop.id)
    await pay(paid.url)
    const unpaid = await openCheckout(drop.id)
    // One decision closes both open reports of the drop.
    await report(drop.id)
    await rejectDrop(await asAdmin(), { reviewId: await report(drop.id) })
    expect((await pay(unpaid.url)).status).not.toBe(303)
    expect(await findPublicDrop(database(), drop.uniqueId)).toBeNull()
    expect(await db().order.count({ where: { dropId: drop.id, paidAt: { not: null } } })).toBe(1)
    expect((await reviewsOf(drop.id)).map(({ state }) => state)).toEqual(['refused', 'refused'])
    expect(await db().strike.count({ where: { userId: drop.userId } })).toBe(1)
  })
})

describe('the strike policy', () => {
  it('warns, then suspends for thirty days, then bans, and each email has the right link', async () => {
    const seller = await makeSeller()
    const ctx = await asAdmin()
    const strike = async () => {
      const drop = await makeDrop({ userId: seller.id })
      const penalty = await rejectDrop(ctx, { reviewId: await report(drop.id) })
      return { penalty, mail: await lastMailTo(seller.id), user: await userOf(seller.id) }
    }

    const first = await strike()
    expect(first.penalty).toBe('warning')
    expect(first.user.isSuspended).toBe(false)
    expect(first.mail.text).toContain('This is a warning')
    expect(first.mail.text).toContain('http://localhost:3000/prohibited-content')
    // A seller who is only warned cannot appeal, so the email must not link to the page for appeals.
    expect(first.mail.text).not.toContain('/appeal')
    await expect(submitAppeal(await asSeller(seller.id), { text: 'Why?' })).rejects.toMatchObject({
      code: 'NOT_SUSPENDED',
      status: 409,
    })

    const second = await strike()
    expect(second.penalty).toBe('suspension')
    const days = ((second.user.suspendedUntil?.getTime() ?? 0) - Date.now()) / DAY_MS
    expect(days).toBeGreaterThan(29.9)
    expect(days).toBeLessThanOrEqual(30)
    expect(second.mail.text).toContain('Appeal: http://localhost:3000/appeal')
    expect(second.mail.text).toContain('suspended for 30 days')

    const third = await strike()
    expect(third.penalty).toBe('ban')
    expect(third.user).toMatchObject({ isSuspended: true, suspendedUntil: null })
    expect(third.mail.text).toContain('suspended permanently')
    expect(third.mail.text).toContain('Appeal: http://localhost:3000/appeal')
  })

  it('bans right away for content that sexualizes minors, but never an administrator', async () => {
    const drop = await makeDrop()
    expect(await rejectDrop(await asAdmin(), { reviewId: await report(drop.id, 'minors') })).toBe('ban')
    expect(await userOf(drop.userId)).toMatchObject({ isSuspended: true, suspendedUntil: null })

    const own = await makeDrop({ userId: (await makeSeller({ isAdmin: true })).id })
    expect(await rejectDrop(await asAdmin(), { reviewId: await report(own.id, 'minors') })).toBe('none')
    expect(await userOf(own.userId)).toMatchObject({ isSuspended: false })
  })

  it('clears the rejection and its strike when a drop is restored, and notifies the seller', async () => {
    const seller = await makeSeller()
    const ctx = await asAdmin()
    const drop = await makeDrop({ userId: seller.id })
    await rejectDrop(ctx, { reviewId: await report(drop.id) })
    await updateDrop(ctx, drop.id, { action: 'restore' })

    expect(await findPublicDrop(database(), drop.uniqueId)).toMatchObject({ moderation: 'allowed', isActive: true })
    expect((await openCheckout(drop.id)).url).toContain('/sandbox/checkout/')
    expect(await db().strike.count({ where: { userId: seller.id } })).toBe(0)
    expect(await lastMailTo(seller.id)).toMatchObject({ subject: 'Test mug is back' })
    const [entry] = await db().auditEntry.findMany({ where: { action: 'drop.restore', targetId: String(drop.id) } })
    expect(entry).toMatchObject({
      before: { moderation: 'refused' },
      after: { moderation: 'allowed', strikesTakenBack: 1 },
    })
    // The next strike counts as the first one again.
    const next = await makeDrop({ userId: seller.id })
    expect(await rejectDrop(ctx, { reviewId: await report(next.id) })).toBe('warning')
    expect((await listDrops(database(), { show: 'review', limit: 50 })).map(({ id }) => id)).not.toContain(drop.id)
  })
})

describe('an appeal', () => {
  const suspended = (overrides = {}) =>
    makeSeller({ isSuspended: true, suspensionReason: 'Counterfeit goods', suspendedUntil: null, ...overrides })
  const appealOf = async (userId: number) => (await listOpenAppeals(db())).find((appeal) => appeal.userId === userId)

  it('can be submitted by a suspended seller, one at a time, and is listed with the reason of the suspension', async () => {
    const seller = await suspended()
    const ctx = await asSeller(seller.id)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => submitAppeal(ctx, { text: 'Mine.' })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'APPEAL_OPEN', status: 409 })
    }
    expect(await appealOf(seller.id)).toMatchObject({ text: 'Mine.', reason: 'Counterfeit goods', until: null })
    expect(await findSuspension(db(), seller.id, new Date())).toEqual({
      reason: 'Counterfeit goods',
      until: null,
      hasOpenAppeal: true,
    })
  })

  it.each([
    [true, 'Your account is active again', 'appeal.lift'],
    [false, 'We reviewed your appeal', 'appeal.keep'],
  ])(
    'is decided once (suspension lifted: %s), with an email to the seller and a row in the audit log',
    async (isLifted, subject, action) => {
      const seller = await suspended()
      const drop = await makeDrop({ userId: seller.id })
      await submitAppeal(await asSeller(seller.id), { text: 'Mine.' })
      const { id: appealId } = (await appealOf(seller.id))!
      const ctx = await asAdmin()
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => decideAppeal(ctx, { appealId, isLifted })),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'APPEAL_DECIDED', status: 409 })
      }
      expect((await userOf(seller.id)).isSuspended).toBe(!isLifted)
      expect((await findPublicDrop(database(), drop.uniqueId))?.isSellerSuspended).toBe(!isLifted)
      expect(await lastMailTo(seller.id)).toMatchObject({ subject })
      expect(await db().auditEntry.count({ where: { action, targetId: String(seller.id) } })).toBe(1)
      expect(await appealOf(seller.id)).toBeUndefined()
    },
  )

  it('is closed when an administrator lifts the suspension in the admin panel', async () => {
    const seller = await suspended()
    await submitAppeal(await asSeller(seller.id), { text: 'Mine.' })
    await updateAccount(await asAdmin(), seller.id, { isSuspended: false })
    expect(await appealOf(seller.id)).toBeUndefined()
    expect(await db().appeal.findFirst({ where: { userId: seller.id } })).toMatchObject({ state: 'lifted' })
  })

  it('is granted, and a drop is rejected, only with a recent second factor', async () => {
    const seller = await suspended()
    await submitAppeal(await asSeller(seller.id), { text: 'Mine.' })
    const { id: appealId } = (await appealOf(seller.id))!
    const drop = await makeDrop()
    const reviewId = await report(drop.id)
    const admin = await asAdmin()
    const ctx = { ...admin, actor: { ...admin.actor, hasTwoFactor: true, steppedUpAt: null } }
    const refusal = { code: 'STEP_UP_REQUIRED', status: 403 }
    await expect(decideAppeal(ctx, { appealId, isLifted: true })).rejects.toMatchObject(refusal)
    await expect(rejectDrop(ctx, { reviewId })).rejects.toMatchObject(refusal)
    expect((await userOf(seller.id)).isSuspended).toBe(true)
    expect(await dropOf(drop.id)).toMatchObject({ moderation: 'allowed', isActive: true })
    await decideAppeal(ctx, { appealId, isLifted: false })
    expect(await appealOf(seller.id)).toBeUndefined()
  })

  it('is decided without an email when the suspension has ended in the meantime', async () => {
    const seller = await suspended()
    await submitAppeal(await asSeller(seller.id), { text: 'Mine.' })
    await db().user.update({ where: { id: seller.id }, data: { suspendedUntil: new Date(Date.now() - 1_000) } })
    await decideAppeal(await asAdmin(), { appealId: (await appealOf(seller.id))!.id, isLifted: false })
    expect(await db().outboxMail.count({ where: { to: seller.email } })).toBe(0)
  })

  it('that does not exist gets a 404', async () => {
    await expect(decideAppeal(await asAdmin(), { appealId: 2_000_000_000, isLifted: true })).rejects.toMatchObject({
      code: 'APPEAL_NOT_FOUND',
      status: 404,
    })
  })
})

it('the admin panel does not list an account as suspended after the suspension has ended', async () => {
  const running = await makeSeller({ isSuspended: true, suspendedUntil: new Date(Date.now() + DAY_MS) })
  const banned = await makeSeller({ isSuspended: true })
  const lapsed = await makeSeller({ isSuspended: true, suspendedUntil: new Date(Date.now() - 1_000) })
  const shown = (await listUsers(database(), { show: 'suspended', limit: 200 })).map(({ id }) => id)
  expect(shown).toEqual(expect.arrayContaining([running.id, banned.id]))
  expect(shown).not.toContain(lapsed.id)
})

it('suspending again without a reason or a length keeps the reason and the end, and sends no second email', async () => {
  const seller = await makeSeller()
  const ctx = await asAdmin()
  await updateAccount(ctx, seller.id, { isSuspended: true, suspensionReason: 'Counterfeit goods', suspensionDays: 30 })
  const before = await userOf(seller.id)
  await updateAccount({ ...ctx, requestId: newId('req') }, seller.id, { isSuspended: true })
  expect(await userOf(seller.id)).toMatchObject({
    suspensionReason: 'Counterfeit goods',
    suspendedUntil: before.suspendedUntil,
  })
  expect(await db().outboxMail.count({ where: { to: seller.email } })).toBe(1)
  await updateAccount({ ...ctx, requestId: newId('req') }, seller.id, { isSuspended: true, suspensionDays: 90 })
  expect((await userOf(seller.id)).suspendedUntil?.getTime()).toBeGreaterThan(before.suspendedUntil!.getTime())
})
