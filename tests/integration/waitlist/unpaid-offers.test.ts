import { systemContext } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { findClaim } from '@/lib/waitlist/queries'
import { makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, openCheckout, pay } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

let count = 0
const job = () => systemContext('waitlist')
const CONFIRM = /\/remind\/confirm\?token=(\w+)/
const CLAIM = /\/claim\/(\w+)/
const ATTACKER = '203.0.113.7'

async function secretTo(to: string, link: RegExp): Promise<string> {
  const mails = await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'desc' } })
  return mails.map(({ text }) => link.exec(text)?.[1]).find(Boolean) ?? 'none'
}

type Person = { email: string; token: string }

/** Joins the waitlist with a new mailbox and confirms it from `ip`. */
async function waitFrom(drop: { uniqueId: string }, ip: string): Promise<Person> {
  const email = `u${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
  await joinWaitlist(visitorFrom(ip), { identifier: drop.uniqueId, email })
  const token = await secretTo(email, CONFIRM)
  await confirmWaitlist(visitorFrom(ip), token)
  return { email, token }
}

/** Makes a drop whose units are all in checkout. `giveBack` cancels all these checkouts. */
async function allInCheckout(quantity: number) {
  const drop = await makeDrop({ quantity })
  for (let unit = 0; unit < quantity; unit += 1) await openCheckout(drop.id)
  const giveBack = async () => {
    const orders = await db().order.findMany({ where: { dropId: drop.id, status: 'pending' } })
    for (const { token } of orders) await cancelCheckout(visitor(), token)
  }
  return { drop, giveBack }
}

const freeOf = async (id: number) => {
  const { quantity, sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return quantity - sold - held
}
const offersOf = (dropId: number) => db().hold.findMany({ where: { dropId, state: 'held' } })
const isOffered = async ({ email }: Person) => (await secretTo(email, CLAIM)) !== 'none'

/** Lets all open offers of a drop end unpaid. */
async function endOffers(dropId: number) {
  for (const { id } of await offersOf(dropId)) await releaseHold(job(), id, 'expired')
}

async function buy(dropId: number) {
  const { url, sessionId } = await openCheckout(dropId)
  await pay(url)
  return settleCheckout(job(), sessionId)
}

it('one network with nine mailboxes that confirms again after each offer keeps no unit longer than two offers', async () => {
  const { drop, giveBack } = await allInCheckout(3)
  const people: Person[] = []
  for (let mailbox = 0; mailbox < 9; mailbox += 1) people.push(await waitFrom(drop, ATTACKER))
  await giveBack()
  let minutesWithoutUnit = 0
  for (let minute = 0; minute < 130; minute += 1) {
    await offerFreedUnits(job())
    if ((await freeOf(drop.id)) === 0) minutesWithoutUnit += 1
    const holds = await offersOf(drop.id)
    for (const { id } of holds.filter(({ expiresAt }) => expiresAt.getTime() <= Date.now())) {
      await releaseHold(job(), id, 'expired')
      const entry = await db().waitlistEntry.findFirstOrThrow({ where: { claimHoldId: id } })
      await confirmWaitlist(visitorFrom(ATTACKER), people.find(({ email }) => email === entry.email)!.token)
    }
    for (const { id } of holds.filter((hold) => Math.abs(hold.expiresAt.getTime() - Date.now() - 60_000) < 30_000)) {
      const entry = await db().waitlistEntry.findFirstOrThrow({ where: { claimHoldId: id } })
      if (!entry.claimedAt) await claimUnit(visitorFrom(ATTACKER), await secretTo(entry.email, CLAIM))
    }
    await ageHolds(drop.id, 60)
    await database().sql.unprepared(
      `UPDATE "Hold" SET "expiresAt" = "expiresAt" - interval '1 minute' WHERE "dropId" = :dropId`,
      { dropId: drop.id },
    )
  }
  expect(minutesWithoutUnit).toBeLessThanOrEqual(82)
  expect(await freeOf(drop.id)).toBe(3)
  expect(await buy(drop.id)).toBe('paid')
}, 120_000)

it('an offer that a pause has closed does not count as unpaid, and the same person gets it again', async () => {
  const { drop, giveBack } = await allInCheckout(1)
  const person = await waitFrom(drop, ATTACKER)
  const next = await waitFrom(drop, '198.51.100.9')
  await giveBack()
  for (let pause = 0; pause < 3; pause += 1) {
    expect(await offerFreedUnits(job())).toBe(1)
    const claim = await secretTo(person.email, CLAIM)
    expect(await findClaim(job(), claim)).toMatchObject({ isOpen: true })
    await claimUnit(visitorFrom(ATTACKER), claim)
    // Pausing the platform and taking a drop down close checkouts with this function.
    expect(await closeOpenCheckouts(job(), { dropId: drop.id })).toBe(1)
    expect(await findClaim(job(), claim)).toMatchObject({ isOpen: false, isUnpaid: false })
  }
  expect(await isOffered(next)).toBe(false)
  // The last offer ends because it was not paid, so it is the only one that counts.
  expect(await offerFreedUnits(job())).toBe(1)
  await endOffers(drop.id)
  expect(await offerFreedUnits(job())).toBe(1)
  expect(await isOffered(next)).toBe(true)
})

it('a person gets one offer in a run, even after confirming again from another network, and reads why', async () => {
  const { drop, giveBack } = await allInCheckout(1)
  const person = await waitFrom(drop, ATTACKER)
  await giveBack()
  expect(await offerFreedUnits(job())).toBe(1)
  const claim = await secretTo(person.email, CLAIM)
  expect(await findClaim(job(), claim)).toMatchObject({ isOpen: true, isUnpaid: false })
  await endOffers(drop.id)
  expect(await findClaim(job(), claim)).toMatchObject({ isOpen: false, isUnpaid: true })
  expect(await confirmWaitlist(visitorFrom('198.51.100.8'), person.token)).toMatchObject({ hadOffer: true })
  expect(await offerFreedUnits(job())).toBe(0)
  // The next run begins for everyone alike.
  await db().drop.update({ where: { id: drop.id }, data: { run: 2 } })
  expect(await confirmWaitlist(visitorFrom(ATTACKER), person.token)).toMatchObject({ hadOffer: false })
  expect(await offerFreedUnits(job())).toBe(1)
})

it('a person whose offer ended because Stripe refused it gets another one', async () => {
  const { drop, giveBack } = await allInCheckout(1)
  const person = await waitFrom(drop, ATTACKER)
  await giveBack()
  await offerFreedUnits(job())
  for (const { id } of await offersOf(drop.id)) await releaseHold(job(), id, 'stripe-refused')
  expect(await confirmWaitlist(visitorFrom(ATTACKER), person.token)).toMatchObject({ hadOffer: false })
  expect(await offerFreedUnits(job())).toBe(1)
})

it('a unit with two unpaid offers of any networks stays on public sale until a unit is sold', async () => {
  const { drop, giveBack } = await allInCheckout(2)
  const people = []
  for (let at = 1; at <= 6; at += 1) people.push(await waitFrom(drop, `198.51.100.${at}`))
  await giveBack()
  expect(await offerFreedUnits(job())).toBe(2)
  await endOffers(drop.id)
  // Two offers ended unpaid, so one of the two units is public now.
  expect(await offerFreedUnits(job())).toBe(1)
  expect(await freeOf(drop.id)).toBe(1)
  // A public checkout that ends unpaid leaves its unit public.
  const { url } = await openCheckout(drop.id)
  const order = await db().order.findFirstOrThrow({ where: { dropId: drop.id, checkoutUrl: url } })
  await cancelCheckout(visitor(), order.token)
  expect(await offerFreedUnits(job())).toBe(0)
  expect(await buy(drop.id)).toBe('paid')
  // The sale cancels the two earlier unpaid offers, so the other unit is offered until two more end unpaid.
  await endOffers(drop.id)
  expect(await offerFreedUnits(job())).toBe(1)
  await endOffers(drop.id)
  expect(await offerFreedUnits(job())).toBe(0)
  expect(await freeOf(drop.id)).toBe(1)
})

it('people of a network with two unpaid offers come after others, and are not refused', async () => {
  const { drop, giveBack } = await allInCheckout(4)
  const school = []
  for (let at = 0; at < 6; at += 1) school.push(await waitFrom(drop, ATTACKER))
  const others = [await waitFrom(drop, '198.51.100.21')]
  // Only two units are free at first.
  const [first, second] = await db().order.findMany({ where: { dropId: drop.id, status: 'pending' } })
  for (const order of [first!, second!]) await cancelCheckout(visitor(), order.token)
  expect(await offerFreedUnits(job())).toBe(2)
  for (const { id } of await db().hold.findMany({ where: { dropId: drop.id, state: 'held', originKey: null } })) {
    await releaseHold(job(), id, 'expired')
  }
  expect(await offerFreedUnits(job())).toBe(1)
  expect(await isOffered(others[0]!)).toBe(true)
  expect(await isOffered(school[2]!)).toBe(false)
  await giveBack()
  await offerFreedUnits(job())
  expect(await isOffered(school[2]!)).toBe(true)
})
