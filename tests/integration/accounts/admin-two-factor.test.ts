import { assertSteppedUp, assertTwoFactorForAdmins } from '@/lib/accounts/guards'
import { updateAccount } from '@/lib/accounts/update-account'
import { removeDrop } from '@/lib/admin/remove-drop'
import { togglePlatform } from '@/lib/admin/toggle-platform'
import { removeAccount } from '@/lib/closure/remove-account'
import { authorize } from '@/lib/http/guard'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import type { UserActor } from '@/lib/kernel/actor'
import { isPlatformActive } from '@/lib/platform/queries'
import { getEvidence } from '@/lib/refunds/get-evidence'
import { approveReview } from '@/lib/trust/approve-review'
import { rejectReview } from '@/lib/trust/reject-review'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { makePaidOrders } from '@/tests/support/make-paid-orders'

// These variables turn real payments on. They have to be set before the environment is first read. No test calls
// Stripe.
Object.assign(process.env, {
  STRIPE_SECRET_KEY: 'sk_test_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_nobody_connect',
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_test_nobody',
})

afterAll(closeDatabase)

const refusal = expect.objectContaining({ code: 'TWO_FACTOR_REQUIRED', status: 403 })

it('two-factor sign-in is required of administrators when payments are live, but not of sellers', async () => {
  expect(env().payments).toBe('live')
  const bare = actorOf(await makeSeller({ isAdmin: true }))
  const secured = { ...bare, hasTwoFactor: true }
  const seller = actorOf(await makeSeller())
  expect(() => authorize('admin', bare)).toThrow(refusal)
  expect(authorize('admin', secured)).toBe(secured)
  // A seller gets the usual refusal, which does not reveal how administrators log in.
  expect(() => authorize('admin', seller)).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }))
  expect(() => assertTwoFactorForAdmins(contextFor(seller))).not.toThrow()
  // Administrators without two-factor sign-in may still act as sellers.
  expect(authorize('activeSeller', bare)).toBe(bare)
})

it('six functions for administrators refuse to run without two-factor sign-in, and change nothing', async () => {
  const ctx = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  for (const act of [
    () => removeAccount(ctx, seller.id),
    () => updateAccount(ctx, seller.id, { plan: 'pro' }),
    () => removeDrop(ctx, drop.id),
    () => togglePlatform(ctx, { isActive: false }),
    () => approveReview(ctx, { reviewId: 1 }),
    () => rejectReview(ctx, { reviewId: 1 }),
  ]) {
    await expect(act()).rejects.toEqual(refusal)
  }
  expect(await isPlatformActive(ctx)).toBe(true)
  expect(await db().user.findUniqueOrThrow({ where: { id: seller.id } })).toMatchObject({
    plan: 'free',
    deletedAt: null,
  })
  expect(await db().auditEntry.count({ where: { actorId: ctx.actor.userId } })).toBe(0)
})

it("an administrator without two-factor sign-in does not read the evidence of another seller's order", async () => {
  const seller = await makeSeller()
  const [order] = await makePaidOrders(seller, [{}])
  const admin = actorOf(await makeSeller({ isAdmin: true }))
  const read = (actor: UserActor) => getEvidence(contextFor(actor), order?.id ?? '')
  await expect(read(admin)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await read({ ...admin, hasTwoFactor: true })).text).toContain('Bea Buyer')
  expect((await read(actorOf(seller))).text).toContain('Bea Buyer')
})

it('destructive actions need a second factor from the last ten minutes', async () => {
  const actor = { ...actorOf(await makeSeller({ isAdmin: true })), hasTwoFactor: true }
  const at = (minutesAgo: number) => contextFor({ ...actor, steppedUpAt: new Date(Date.now() - minutesAgo * 60_000) })
  expect(() => assertSteppedUp(at(9))).not.toThrow()
  expect(() => assertSteppedUp(at(11))).toThrow(expect.objectContaining({ code: 'STEP_UP_REQUIRED', status: 403 }))
})
