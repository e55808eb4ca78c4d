import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { findClaim } from '@/lib/waitlist/queries'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { standIn } from '@/lib/infra/stripe'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

async function secretTo(to: string, link: RegExp): Promise<string> {
  const mails = await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'desc' } })
  return mails.map(({ text }) => link.exec(text)?.[1]).find(Boolean) ?? 'none'
}

/** Offers the only unit of a drop to someone on its waitlist, and returns the secret of the claim. */
async function offerUnit(email: string) {
  const drop = await makeDrop({ quantity: 1 })
  const { sessionId } = await openCheckout(drop.id)
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
  await confirmWaitlist(visitor(), await secretTo(email, /\/remind\/confirm\?token=(\w+)/))
  const { token } = await db().order.findUniqueOrThrow({ where: { stripeSessionId: sessionId } })
  await cancelCheckout(visitor(), token)
  await offerFreedUnits(systemContext('waitlist'))
  return { dropId: drop.id, secret: await secretTo(email, /\/claim\/(\w+)/) }
}

const SESSIONS = '/v1/checkout/sessions'

/** Makes the claimed hold as old as if its process had died at that time, before it knew the session. */
async function dieAfterClaim(dropId: number, secondsAgo: number) {
  const hold = await db().hold.findFirstOrThrow({ where: { dropId, state: 'held' } })
  await db().order.update({ where: { holdId: hold.id }, data: { stripeSessionId: null, checkoutUrl: null } })
  const at = new Date(Date.now() - secondsAgo * 1000)
  const expiresAt = new Date(hold.expiresAt.getTime() - secondsAgo * 1000)
  await db().hold.update({ where: { id: hold.id }, data: { createdAt: at, openingSince: at, expiresAt } })
  return hold
}

/** Removes what Stripe knows about the orders of a drop, as if the calls had never arrived there. */
async function forgetAtStripe(dropId: number) {
  for (const { id } of await db().order.findMany({ where: { dropId } })) {
    await db().sandboxIdempotencyKey.deleteMany({ where: { key: `checkout-${id}` } })
    await db().sandboxObject.deleteMany({ where: { json: { path: ['client_reference_id'], equals: id } } })
  }
}

const entryOf = (dropId: number) => db().waitlistEntry.findFirstOrThrow({ where: { dropId } })
const heldOf = async (id: number) => (await db().drop.findUniqueOrThrow({ where: { id } })).held

it('a claim whose process dies before it knows the payment page can be paid when the link is used again', async () => {
  const { dropId, secret } = await offerUnit(`interrupted${process.pid}@example.com`)
  const url = await claimUnit(visitor(), secret)
  await db().order.updateMany({
    where: { dropId, status: 'pending' },
    data: { stripeSessionId: null, checkoutUrl: null },
  })
  const halfAMinuteAgo = new Date(Date.now() - 30_000)
  await db().hold.updateMany({
    where: { dropId, state: 'held' },
    data: { createdAt: halfAMinuteAgo, openingSince: halfAMinuteAgo },
  })
  expect(await Promise.all([claimUnit(visitor(), secret), claimUnit(visitor(), secret)])).toEqual([url, url])
  expect((await pay(url)).status).toBe(303)
})

it('a claim whose process dies before Stripe gets the call keeps its unit, however late the link is used again', async () => {
  const { dropId, secret } = await offerUnit(`unsent${process.pid}@example.com`)
  await claimUnit(visitor(), secret)
  const died = await dieAfterClaim(dropId, 300)
  await forgetAtStripe(dropId)
  const presses = await Promise.allSettled(Array.from({ length: 4 }, () => claimUnit(visitor(), secret)))
  const urls = new Set(presses.map((press) => (press.status === 'fulfilled' ? press.value : String(press.reason))))
  expect([...urls]).toEqual([expect.stringContaining('http')])
  expect(await claimUnit(visitor(), secret)).toBe([...urls][0])
  const held = await db().hold.findFirstOrThrow({ where: { dropId, state: 'held' } })
  expect(held).toMatchObject({ claimKey: died.claimKey, run: died.run, valueId: died.valueId })
  expect(await entryOf(dropId)).toMatchObject({ claimHoldId: held.id, claimedAt: expect.any(Date) })
  expect(await heldOf(dropId)).toBe(1)
  expect((await pay([...urls][0]!)).status).toBe(303)
})

it('a claim that Stripe did not answer keeps its unit when the link is used again minutes later', async () => {
  const { dropId, secret } = await offerUnit(`unheard${process.pid}@example.com`)
  await standIn()!.setFaults({
    api: { kind: 'reset-after-commit', path: SESSIONS, remaining: null, delayMs: 0 },
    deliveries: null,
  })
  await expect(claimUnit(visitor(), secret)).rejects.toMatchObject({ code: 'STRIPE_AWAY' })
  await standIn()!.setFaults({ api: null, deliveries: null })
  await forgetAtStripe(dropId)
  const { id, expiresAt } = await db().hold.findFirstOrThrow({ where: { dropId, reason: 'stripe-away' } })
  await db().hold.update({ where: { id }, data: { expiresAt: new Date(expiresAt.getTime() - 120_000) } })
  expect((await pay(await claimUnit(visitor(), secret))).status).toBe(303)
})

it('a claim that Stripe failed to open can be tried again with the same link while its unit is free', async () => {
  const { secret } = await offerUnit(`failed${process.pid}@example.com`)
  await standIn()!.setFaults({
    api: { kind: 'error', path: SESSIONS, remaining: null, delayMs: 0 },
    deliveries: null,
  })
  await expect(claimUnit(visitor(), secret)).rejects.toMatchObject({ code: 'STRIPE_AWAY' })
  await standIn()!.setFaults({ api: null, deliveries: null })
  // The page of the link shows a button that tries again.
  expect((await findClaim(visitor(), secret))!).toMatchObject({ isOpen: false, mayRetry: true })
  const urls = await Promise.all([1, 2, 3].map(() => claimUnit(visitor(), secret)))
  expect(new Set(urls).size).toBe(1)
  expect((await pay(urls[0]!)).status).toBe(303)
})

it('the unit of a claim that Stripe denies is free when the drop has ended, and the claim says that it is over', async () => {
  const { dropId, secret } = await offerUnit(`ended${process.pid}@example.com`)
  await claimUnit(visitor(), secret)
  await dieAfterClaim(dropId, 300)
  await forgetAtStripe(dropId)
  await db().drop.update({ where: { id: dropId }, data: { endTime: new Date(Date.now() - 1_000) } })
  await expect(claimUnit(visitor(), secret)).rejects.toMatchObject({ code: 'CLAIM_OVER' })
  expect(await heldOf(dropId)).toBe(0)
})
