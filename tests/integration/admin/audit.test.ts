import { updateAccount } from '@/lib/accounts/update-account'
import { exportList } from '@/lib/admin/export-list'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { auditNames } from '@/lib/admin/messages'
import { rejectDrop } from '@/lib/admin/reject-drop'
import { removeDrop } from '@/lib/admin/remove-drop'
import { replayEvent } from '@/lib/admin/replay-event'
import { togglePlatform } from '@/lib/admin/toggle-platform'
import { updateDrop } from '@/lib/admin/update-drop'
import { viewSeller } from '@/lib/admin/view-seller'
import { removeAccount } from '@/lib/closure/remove-account'
import { type Context, transaction } from '@/lib/infra/context'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { recordDebtPayment } from '@/lib/payouts/record-debt-payment'
import { recordHandPayment } from '@/lib/payouts/record-hand-payment'
import { recordAudit } from '@/lib/platform/record-audit'
import { recordHandRefund } from '@/lib/refunds/record-hand-refund'
import { approveReview } from '@/lib/trust/approve-review'
import { clearProfile } from '@/lib/trust/clear-profile'
import { decideAppeal } from '@/lib/trust/decide-appeal'
import { keepProfile } from '@/lib/trust/keep-profile'
import { reportDrop } from '@/lib/trust/report-drop'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'
import { openCheckout, pay, payAndSettle } from '@/tests/support/shop'

afterAll(closeDatabase)

type Admin = Context<UserActor>
/** Creates the rows that an action needs, and returns a function that performs the action. */
type Act = (ctx: Admin) => Promise<() => Promise<unknown>>

const asAdmin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const auditOf = (ctx: Admin) => db().auditEntry.findMany({ where: { actorId: ctx.actor.userId } })

async function reported() {
  const drop = await makeDrop()
  await reportDrop(visitor(), drop.id, { category: 'counterfeit', details: '' })
  return { drop, review: await db().moderationReview.findFirstOrThrow({ where: { dropId: drop.id } }) }
}

async function written() {
  const seller = await makeSeller()
  await db().publicProfile.create({ data: { userId: seller.id, about: 'Ask me.' } })
  return seller
}

async function reportedProfile() {
  return db().profileReport.create({ data: { userId: (await written()).id, category: 'hate' } })
}

async function appealed() {
  const seller = await makeSeller({ isSuspended: true, suspensionReason: 'Counterfeit goods' })
  return db().appeal.create({ data: { userId: seller.id, text: 'Mine.' } })
}

async function soldInEuros() {
  const drop = await makeDrop({ productType: 'digital' })
  const { url, sessionId } = await openCheckout(drop.id)
  await payAndSettle(url, sessionId)
  const { id } = await db().order.update({ where: { stripeSessionId: sessionId }, data: { settlementCurrency: 'eur' } })
  return id
}

async function failedRefund() {
  const orderId = await soldInEuros()
  const data = { id: newId('ref'), orderId, amountCents: 2400, platformFeeCents: 0, reason: 'no unit' }
  await db().refund.create({ data: { ...data, state: 'failed', requestedBy: 'system' } })
  return orderId
}

async function inDebt() {
  const orderId = await soldInEuros()
  return (await db().transfer.update({ where: { orderId }, data: { feeOwedCents: 5000 } })).sellerId
}

async function anEvent() {
  const drop = await makeDrop()
  await pay((await openCheckout(drop.id)).url)
  const { payload } = await db().sandboxDelivery.findFirstOrThrow({
    where: { payload: { contains: 'checkout.session.completed' } },
    orderBy: { id: 'desc' },
  })
  const event = JSON.parse(payload) as { id: string; type: string }
  await db().webhookEvent.create({ data: { id: event.id, type: event.type, objectId: 'x', handledAt: new Date() } })
  return event
}

const acts: [action: string, act: Act][] = [
  ['user.plan', async (ctx) => make(makeSeller(), ({ id }) => updateAccount(ctx, id, { plan: 'pro' }))],
  ['user.update', async (ctx) => make(makeSeller(), ({ id }) => updateAccount(ctx, id, { isVerified: true }))],
  ['user.suspend', async (ctx) => make(makeSeller(), ({ id }) => updateAccount(ctx, id, { isSuspended: true }))],
  ['user.unsuspend', async (ctx) => make(makeSeller(), ({ id }) => updateAccount(ctx, id, { isSuspended: false }))],
  ['user.hold-payouts', async (ctx) => make(makeSeller(), ({ id }) => updateAccount(ctx, id, { payoutHoldDays: 7 }))],
  [
    'user.release-payouts',
    async (ctx) => make(makeSeller(), ({ id }) => updateAccount(ctx, id, { payoutHoldDays: 0 })),
  ],
  ['user.delete', async (ctx) => make(makeSeller(), ({ id }) => removeAccount(ctx, id))],
  ['user.view', async (ctx) => make(makeSeller(), ({ id }) => viewSeller(ctx, id))],
  ['drop.update', async (ctx) => make(makeDrop(), ({ id }) => updateDrop(ctx, id, { isPinned: true }))],
  ['drop.extend', async (ctx) => make(makeDrop(), ({ id }) => updateDrop(ctx, id, { action: 'extend', hours: 1 }))],
  ['drop.end', async (ctx) => make(makeDrop(), ({ id }) => updateDrop(ctx, id, { action: 'end' }))],
  ['drop.archive', async (ctx) => make(makeDrop(), ({ id }) => updateDrop(ctx, id, { action: 'archive' }))],
  ['drop.restore', async (ctx) => make(makeDrop(), ({ id }) => updateDrop(ctx, id, { action: 'restore' }))],
  ['drop.delete', async (ctx) => make(makeDrop(), ({ id }) => removeDrop(ctx, id))],
  ['platform.pause', async (ctx) => () => togglePlatform(ctx, { isActive: false })],
  ['platform.resume', async (ctx) => () => togglePlatform(ctx, { isActive: true })],
  ['platform.extend', async (ctx) => () => extendLiveDrops(ctx, { hours: 1 })],
  ['export.users', async (ctx) => () => exportList(ctx, 'users')],
  ['export.drops', async (ctx) => () => exportList(ctx, 'drops')],
  ['review.approve', async (ctx) => make(reported(), ({ review }) => approveReview(ctx, { reviewId: review.id }))],
  ['review.reject', async (ctx) => make(reported(), ({ review }) => rejectDrop(ctx, { reviewId: review.id }))],
  [
    'profile.clear',
    async (ctx) => make(written(), ({ id }) => clearProfile(ctx, { userId: id, reason: 'It insults people.' })),
  ],
  [
    'profile.keep',
    async (ctx) => make(reportedProfile(), ({ userId, id }) => keepProfile(ctx, { userId, lastReportId: id })),
  ],
  ['appeal.lift', async (ctx) => make(appealed(), ({ id }) => decideAppeal(ctx, { appealId: id, isLifted: true }))],
  ['appeal.keep', async (ctx) => make(appealed(), ({ id }) => decideAppeal(ctx, { appealId: id, isLifted: false }))],
  [
    'payout.byhand',
    async (ctx) =>
      make(soldInEuros(), (orderId) => recordHandPayment(ctx, { orderId, amountCents: 2180, reference: 'SEPA 7' })),
  ],
  [
    'payout.repaid',
    async (ctx) => make(inDebt(), (id) => recordDebtPayment(ctx, id, { amountCents: 1, reference: 'B' })),
  ],
  [
    'refund.byhand',
    async (ctx) => make(failedRefund(), (orderId) => recordHandRefund(ctx, { orderId, reference: 'SEPA 6' })),
  ],
  ['webhook.replay', async (ctx) => make(anEvent(), ({ id }) => replayEvent(ctx, { id }))],
]

async function make<Made>(making: Promise<Made>, act: (made: Made) => Promise<unknown>) {
  const made = await making
  return () => act(made)
}

it.each(acts)('%s writes one row with the actor, the network address and the request id', async (action, prepare) => {
  const ctx = await asAdmin()
  const act = await prepare(ctx)
  await act()
  // The page of the audit log has a name for the action.
  expect(auditNames[action]).toBeTruthy()
  expect(await auditOf(ctx)).toMatchObject([
    { action, actorId: ctx.actor.userId, actorKind: 'admin', ip: ctx.ip, requestId: ctx.requestId },
  ])
})

it('an entry of a seller has no network address, because it is kept forever', async () => {
  const ctx = contextFor(actorOf(await makeSeller()))
  await transaction(ctx, (tx) => recordAudit(tx, { action: 'drop.link', targetType: 'drop', targetId: 1 }))
  expect(ctx.ip).not.toBe('')
  expect(await auditOf(ctx)).toMatchObject([{ actorKind: 'user', ip: '' }])
})

describe('when a step after an action fails', () => {
  const breakStripe = () =>
    standIn()!.setFaults({
      api: { kind: 'error', path: '/v1/checkout/sessions', remaining: null, delayMs: 0 },
      deliveries: null,
    })

  afterEach(() => standIn()!.setFaults({ api: null, deliveries: null }))

  async function withCheckout() {
    const drop = await makeDrop()
    await openCheckout(drop.id)
    return drop
  }

  const failing: [action: string, act: Act][] = [
    ['drop.delete', async (ctx) => make(withCheckout(), ({ id }) => removeDrop(ctx, id))],
    ['drop.archive', async (ctx) => make(withCheckout(), ({ id }) => updateDrop(ctx, id, { action: 'archive' }))],
    ['user.delete', async (ctx) => make(withCheckout(), ({ userId }) => removeAccount(ctx, userId))],
    ['review.reject', async (ctx) => make(rejectable(), ({ id }) => rejectDrop(ctx, { reviewId: id }))],
    ['platform.pause', async (ctx) => make(withCheckout(), () => togglePlatform(ctx, { isActive: false }))],
  ]

  async function rejectable() {
    const { id: dropId } = await withCheckout()
    await reportDrop(visitor(), dropId, { category: 'counterfeit', details: '' })
    return db().moderationReview.findFirstOrThrow({ where: { dropId } })
  }

  it.each(failing)('%s still writes its audit row, and the checkout stays open', async (action, prepare) => {
    const ctx = await asAdmin()
    const act = await prepare(ctx)
    const open = await db().hold.count({ where: { state: 'held' } })
    expect(open).toBeGreaterThan(0)
    await breakStripe()
    await act()
    expect(await auditOf(ctx)).toMatchObject([{ action }])
    expect(await db().hold.count({ where: { state: 'held' } })).toBe(open)
  })

  it('webhook.replay still writes its audit row when the event cannot be handled', async () => {
    const ctx = await asAdmin()
    const { id } = await anEvent()
    // The event can be read, but not the object that it is about.
    await breakStripe()
    await expect(replayEvent(ctx, { id })).rejects.toThrow()
    expect(await auditOf(ctx)).toMatchObject([{ action: 'webhook.replay', targetId: id }])
  })
})

it('a refused action writes no audit row and deletes no account', async () => {
  const ctx = await asAdmin()
  const other = await makeSeller({ isAdmin: true })
  const endedDrop = await makeDrop({ endTime: new Date(Date.now() - 1_000) })
  const nobody = 2_147_483_647
  const refused: [unknown: () => Promise<unknown>, status: number][] = [
    [() => removeAccount(ctx, ctx.actor.userId), 403],
    [() => removeAccount(ctx, other.id), 403],
    [() => removeAccount(ctx, nobody), 404],
    [() => updateAccount(ctx, nobody, { plan: 'pro' }), 404],
    [() => updateAccount(ctx, other.id, { isSuspended: true }), 403],
    [() => updateDrop(ctx, nobody, { isPinned: true }), 404],
    [() => updateDrop(ctx, endedDrop.id, { action: 'extend', hours: 1 }), 409],
    [() => updateDrop(ctx, endedDrop.id, { action: 'restore' }), 400],
    [() => removeDrop(ctx, nobody), 404],
    [() => replayEvent(ctx, { id: 'evt_nobody' }), 404],
    [() => approveReview(ctx, { reviewId: nobody }), 404],
    [() => decideAppeal(ctx, { appealId: nobody, isLifted: true }), 404],
  ]
  for (const [act, status] of refused) await expect(act()).rejects.toMatchObject({ status })
  expect(await auditOf(ctx)).toEqual([])
  expect(await db().user.count({ where: { id: { in: [ctx.actor.userId, other.id] }, deletedAt: null } })).toBe(2)
})

it('the application’s database role cannot change, delete, truncate or overwrite rows of the log', async () => {
  const ctx = await asAdmin()
  await togglePlatform(ctx, { isActive: true })
  const before = await db().auditEntry.findMany({ orderBy: { id: 'asc' } })
  for (const text of [
    `UPDATE "AuditEntry" SET "action" = 'nothing'`,
    `UPDATE "AuditEntry" SET "actorId" = NULL WHERE false`,
    `DELETE FROM "AuditEntry"`,
    `TRUNCATE "AuditEntry"`,
    `INSERT INTO "AuditEntry" ("id", "actorKind", "action", "targetType", "targetId") VALUES (${before[0]?.id}, 'x', 'x', 'x', 'x')
       ON CONFLICT ("id") DO UPDATE SET "action" = 'nothing'`,
    `MERGE INTO "AuditEntry" a USING (SELECT 1) x ON true WHEN MATCHED THEN DELETE`,
    `WITH gone AS (DELETE FROM "AuditEntry" RETURNING *) SELECT count(*) FROM gone`,
  ]) {
    await expect(pool().query(text)).rejects.toThrow('append-only')
  }
  expect(await db().auditEntry.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
})
