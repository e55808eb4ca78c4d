import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import { HOUR_MS } from '@/lib/kernel/time'
import { newSecret } from '@/lib/kernel/id'
import type { MailContent } from '@/lib/notifications/compose-mail'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { sweepCheckouts } from '@/lib/checkout/sweep-checkouts'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { forgetWaitingOrigins } from '@/lib/waitlist/forget-waiting-origins'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { leaveWaitlist } from '@/lib/waitlist/leave-waitlist'
import { notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { leaveWaitlistSchema } from '@/lib/waitlist/schema'
import { actorOf, contextFor, makeDrop, visitor, visitorFrom } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { ageHolds, openCheckout, pay, startBuying } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

let count = 0
const newAddress = () => `w${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
const job = () => systemContext('waitlist')

const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })
const stock = async (id: number) => {
  const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held }
}
/** Returns the secret in the link of the newest email to an address. */
async function secretTo(to: string, link: RegExp): Promise<string> {
  const mails = await mailsTo(to)
  return link.exec(mails.at(-1)?.text ?? '')?.[1] ?? 'none'
}
const CONFIRM = /\/remind\/confirm\?token=(\w+)/
const CLAIM = /\/claim\/(\w+)/

async function wait(drop: { uniqueId: string }, email = newAddress()): Promise<string> {
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
  await confirmWaitlist(visitor(), await secretTo(email, CONFIRM))
  return email
}

/** Makes a drop whose units are all in checkout. `giveBack` cancels one of these checkouts. */
async function allInCheckout(quantity = 1) {
  const drop = await makeDrop({ quantity })
  const checkouts: { sessionId: string }[] = []
  for (let unit = 0; unit < quantity; unit += 1) checkouts.push(await openCheckout(drop.id))
  const giveBack = async (at = 0) => {
    const order = await db().order.findFirstOrThrow({ where: { stripeSessionId: checkouts[at]?.sessionId ?? '' } })
    await cancelCheckout(visitor(), order.token)
  }
  return { drop, giveBack }
}

describe('a request for a reminder', () => {
  it('sends only the confirmation email until the email address is confirmed', async () => {
    const { drop, giveBack } = await allInCheckout()
    const email = newAddress()
    await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
    await giveBack()
    await offerFreedUnits(job())
    expect((await mailsTo(email)).map(({ subject }) => subject)).toEqual(['Confirm your reminder'])
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('is refused for a drop in review', async () => {
    const drop = await makeDrop({ moderation: 'review' })
    const asked = joinWaitlist(visitor(), { identifier: drop.uniqueId, email: newAddress() })
    await expect(asked).rejects.toMatchObject({ code: 'NOT_NOW', status: 409 })
  })

  it('is refused for a drop on sale and for a missing one', async () => {
    const drop = await makeDrop()
    const email = newAddress()
    await expect(joinWaitlist(visitor(), { identifier: drop.uniqueId, email })).rejects.toMatchObject({
      code: 'ON_SALE',
    })
    await expect(joinWaitlist(visitor(), { identifier: 'nobody', email })).rejects.toMatchObject({ status: 404 })
    expect(await mailsTo(email)).toEqual([])
  })

  it('is refused to the seller of the drop', async () => {
    const { drop } = await allInCheckout()
    const seller = await db().user.findUniqueOrThrow({ where: { id: drop.userId } })
    const email = newAddress()
    const asked = joinWaitlist(contextFor(actorOf(seller)), { identifier: drop.uniqueId, email })
    await expect(asked).rejects.toMatchObject({ code: 'OWN_DROP', status: 403 })
    expect(await db().waitlistEntry.count({ where: { dropId: drop.id } })).toBe(0)
    expect(await mailsTo(email)).toEqual([])
  })

  it('sends at most five emails per address and day, and the result does not reveal that the limit is reached', async () => {
    const email = newAddress()
    for (let time = 0; time < 7; time += 1) {
      const { drop } = await allInCheckout()
      await expect(joinWaitlist(visitor(), { identifier: drop.uniqueId, email })).resolves.toBeUndefined()
    }
    expect(await mailsTo(email)).toHaveLength(5)
  })

  it('gives one mailbox only one place, regardless of the tags in its addresses', async () => {
    const { drop, giveBack } = await allInCheckout(2)
    const [name, domain] = newAddress().split('@')
    const tagged = Array.from({ length: 4 }, (_, at) => `${name}+${at}@${domain}`)
    for (const email of tagged) await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
    expect(await db().waitlistEntry.count({ where: { dropId: drop.id } })).toBe(1)
    await confirmWaitlist(visitor(), await secretTo(tagged[0]!, CONFIRM))
    await giveBack(0)
    await giveBack(1)
    await offerFreedUnits(job())
    await offerFreedUnits(job())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  })

  it('gives one mailbox only one place, even if many requests arrive at the same time', async () => {
    const { drop } = await allInCheckout()
    const [name, domain] = newAddress().split('@')
    const asked = Array.from({ length: 5 }, (_, at) =>
      joinWaitlist(visitor(), { identifier: drop.uniqueId, email: `${name}+${at}@${domain}` }),
    )
    await Promise.allSettled(asked)
    expect(await db().waitlistEntry.count({ where: { dropId: drop.id } })).toBe(1)
  })

  it('can be confirmed only with the newest link', async () => {
    const { drop } = await allInCheckout()
    const email = newAddress()
    await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
    const old = await secretTo(email, CONFIRM)
    await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
    await expect(confirmWaitlist(visitor(), old)).rejects.toMatchObject({ code: 'LINK_INVALID' })
    await expect(confirmWaitlist(visitor(), await secretTo(email, CONFIRM))).resolves.toMatchObject({ dropId: drop.id })
  })

  it('sends no other email about the drop after its recipient unsubscribed without a confirmation', async () => {
    const [{ drop }, other] = [await allInCheckout(), await allInCheckout()]
    const email = newAddress()
    const ask = ({ uniqueId }: typeof drop) => joinWaitlist(visitor(), { identifier: uniqueId, email })
    await ask(drop)
    const [mail] = await mailsTo(email)
    const query = Object.fromEntries(new URL((mail?.content as MailContent).unsubscribe!.postUrl).searchParams)
    await leaveWaitlist(visitor(), leaveWaitlistSchema.parse(query))
    await ask(drop)
    expect(await mailsTo(email)).toHaveLength(1)
    await ask(other.drop)
    expect(await mailsTo(email)).toHaveLength(2)
  })

  it('ends when its owner follows the unsubscribe link of an email, which cannot be forged', async () => {
    const { drop, giveBack } = await allInCheckout()
    const email = await wait(drop)
    const [mail] = await mailsTo(email)
    const query = Object.fromEntries(new URL((mail?.content as MailContent).unsubscribe!.postUrl).searchParams)
    const forged = leaveWaitlistSchema.parse({ ...query, key: '0'.repeat(40) })
    await expect(leaveWaitlist(visitor(), forged)).rejects.toMatchObject({ code: 'STOP_LINK_INVALID' })
    await leaveWaitlist(visitor(), leaveWaitlistSchema.parse(query))
    await leaveWaitlist(visitor(), leaveWaitlistSchema.parse(query))
    await giveBack()
    await offerFreedUnits(job())
    expect(await mailsTo(email)).toHaveLength(1)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })
})

describe('a released unit', () => {
  it('is held for the next waitlist entry, whose owner can buy it', async () => {
    const { drop, giveBack } = await allInCheckout()
    const [first, second] = [await wait(drop), await wait(drop)]
    await giveBack()
    await offerFreedUnits(job())
    await offerFreedUnits(job())
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
    expect(await mailsTo(second)).toHaveLength(1)
    // Other buyers cannot buy this unit.
    await expect(openCheckout(drop.id)).rejects.toMatchObject({ code: 'ALL_IN_CHECKOUT' })
    const secret = await secretTo(first, CLAIM)
    const url = await claimUnit(visitor(), secret)
    expect((await pay(url)).status).toBe(303)
    await settleCheckout(job(), new URL(url).pathname.split('/').at(-1) ?? '')
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
    await expect(claimUnit(visitor(), secret)).rejects.toMatchObject({ code: 'CLAIM_OVER' })
  })

  it('is not offered to someone who bought since they asked, or who has as many units as one buyer may have', async () => {
    const drop = await makeDrop({ quantity: 3, maxPerBuyer: 1 })
    const buyer = `${newAddress()}`
    const { url, sessionId } = await openCheckout(drop.id)
    await pay(url)
    await settleCheckout(job(), sessionId)
    const orders = { where: { dropId: drop.id, status: 'paid' as const } }
    await db().order.updateMany({ ...orders, data: { buyerEmail: buyer, paidAt: new Date(Date.now() - HOUR_MS) } })
    const kept = [await openCheckout(drop.id), await openCheckout(drop.id)]
    const [owner, stranger] = [await wait(drop, buyer), await wait(drop)]
    for (const { sessionId: id } of kept) {
      const { token } = await db().order.findFirstOrThrow({ where: { stripeSessionId: id } })
      await cancelCheckout(visitor(), token)
    }
    await offerFreedUnits(job())
    expect(await secretTo(stranger, CLAIM)).not.toBe('none')
    expect(await secretTo(owner, CLAIM)).toBe('none')
    // Without a limit, someone who bought before they asked wants another unit.
    await db().drop.update({ where: { id: drop.id }, data: { maxPerBuyer: null } })
    await db().order.updateMany({ ...orders, data: { paidAt: new Date() } })
    await offerFreedUnits(job())
    expect(await secretTo(owner, CLAIM)).toBe('none')
    await db().order.updateMany({ ...orders, data: { paidAt: new Date(Date.now() - HOUR_MS) } })
    await offerFreedUnits(job())
    expect(await secretTo(owner, CLAIM)).not.toBe('none')
  })

  it('cannot be claimed by a network with five recent payments that only led to refunds, and stores its network', async () => {
    const { drop, giveBack } = await allInCheckout()
    const email = await wait(drop)
    await giveBack()
    await offerFreedUnits(job())
    const secret = await secretTo(email, CLAIM)
    const network = visitorFrom('203.0.113.79')
    const limited = await makeDrop({ quantity: 10, maxPerBuyer: 1 })
    const outcomes: string[] = []
    for (let at = 0; at < 6; at += 1) {
      const started = await startBuying(network, { dropId: limited.id, quantity: 1, buyerToken: newSecret() })
      const url = 'url' in started ? started.url : ''
      await pay(url)
      outcomes.push(await settleCheckout(job(), new URL(url).pathname.split('/').at(-1) ?? ''))
    }
    expect(outcomes).toEqual(['paid', ...Array(5).fill('refunded')])
    await expect(claimUnit(network, secret)).rejects.toMatchObject({ code: 'OFTEN_REFUNDED' })
    await claimUnit(visitorFrom('203.0.113.80'), secret)
    const claimed = await db().hold.findFirst({ where: { dropId: drop.id, state: 'held' } })
    expect(claimed).toMatchObject({ originKey: null, claimKey: expect.any(String) })
  })

  it('stays with its owner once it is claimed, even when more than half of the units are unpaid for long', async () => {
    const drop = await makeDrop({ quantity: 2, held: 2 })
    const email = await wait(drop)
    await db().drop.update({ where: { id: drop.id }, data: { held: 1 } })
    await offerFreedUnits(job())
    await claimUnit(visitorFrom('203.0.113.81'), await secretTo(email, CLAIM))
    await ageHolds(drop.id, 15 * 60)
    await yieldHolds(job())
    expect(await db().hold.findFirstOrThrow({ where: { dropId: drop.id } })).toMatchObject({ state: 'held' })
    // Nobody pays the other unit, which has no checkout behind it.
    await db().drop.update({ where: { id: drop.id }, data: { held: 1 } })
  })

  it('has one checkout session for repeated and simultaneous uses of its link', async () => {
    const { drop, giveBack } = await allInCheckout()
    const email = await wait(drop)
    await giveBack()
    await offerFreedUnits(job())
    const secret = await secretTo(email, CLAIM)
    const urls = await Promise.all(Array.from({ length: 5 }, () => claimUnit(visitor(), secret)))
    expect(new Set([...urls, await claimUnit(visitor(), secret)]).size).toBe(1)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  })

  it('cannot be claimed by the seller of the drop', async () => {
    const { drop, giveBack } = await allInCheckout()
    const email = await wait(drop)
    await giveBack()
    await offerFreedUnits(job())
    const secret = await secretTo(email, CLAIM)
    const seller = contextFor(actorOf(await db().user.findUniqueOrThrow({ where: { id: drop.userId } })))
    await expect(claimUnit(seller, secret)).rejects.toMatchObject({ code: 'OWN_DROP', status: 403 })
    // The link still works for its recipient.
    await expect(claimUnit(visitor(), secret)).resolves.toContain('http')
  })

  it('can be claimed later when Stripe cannot be reached at first', async () => {
    const { drop, giveBack } = await allInCheckout()
    const email = await wait(drop)
    await giveBack()
    await offerFreedUnits(job())
    const secret = await secretTo(email, CLAIM)
    const fault = { kind: 'reset-after-commit' as const, path: '/v1/checkout/sessions', remaining: null, delayMs: 0 }
    await standIn()!.setFaults({ api: fault, deliveries: null })
    await expect(claimUnit(visitor(), secret)).rejects.toMatchObject({ code: 'STRIPE_AWAY' })
    await standIn()!.setFaults({ api: null, deliveries: null })
    const url = await claimUnit(visitor(), secret)
    expect(await claimUnit(visitor(), secret)).toBe(url)
    expect((await pay(url)).status).toBe(303)
    expect(await db().order.count({ where: { dropId: drop.id, status: 'pending' } })).toBe(1)
  })

  it('goes to the next entry when it is not claimed within ten minutes', async () => {
    const { drop, giveBack } = await allInCheckout()
    const [first, second] = [await wait(drop), await wait(drop)]
    await giveBack()
    await offerFreedUnits(job())
    const hold = await db().hold.findFirstOrThrow({ where: { dropId: drop.id, state: 'held' } })
    const minutes = (hold.expiresAt.getTime() - hold.createdAt.getTime()) / 60_000
    expect(minutes).toBeCloseTo(10, 1)
    await db().hold.update({ where: { id: hold.id }, data: { expiresAt: new Date(Date.now() - 1_000) } })
    await expect(claimUnit(visitor(), await secretTo(first, CLAIM))).rejects.toMatchObject({ code: 'CLAIM_OVER' })
    await sweepCheckouts(job())
    await offerFreedUnits(job())
    expect(await mailsTo(first)).toHaveLength(2)
    await expect(claimUnit(visitor(), await secretTo(second, CLAIM))).resolves.toContain('http')
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
  })

  it('is never offered twice, even if the job runs twice at the same time', async () => {
    const { drop, giveBack } = await allInCheckout(3)
    const line = []
    for (let place = 0; place < 5; place += 1) line.push(await wait(drop))
    for (const at of [0, 1]) await giveBack(at)
    await Promise.all([offerFreedUnits(job()), offerFreedUnits(job()), openCheckout(drop.id).catch(() => null)])
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 3 })
    const offers = await db().waitlistEntry.count({ where: { dropId: drop.id, offeredRun: 1 } })
    expect(offers).toBeLessThanOrEqual(2)
  })
})

describe('a new run', () => {
  const notifyAll = async () => {
    while ((await notifyWaitlist(visitor())) > 0);
  }

  it('is announced once to every waitlist entry', async () => {
    const drop = await makeDrop({ endTime: new Date(Date.now() - 1_000) })
    const emails = []
    for (let person = 0; person < 6; person += 1) emails.push(await wait(drop))
    await notifyAll()
    expect(await mailsTo(emails[0]!)).toHaveLength(1)
    const again = { run: 2, startedAt: new Date(), endTime: new Date(Date.now() + 3_600_000) }
    await db().drop.update({ where: { id: drop.id }, data: again })
    await Promise.all([notifyAll(), notifyAll()])
    await notifyAll()
    for (const email of emails) {
      expect((await mailsTo(email)).map(({ subject }) => subject).slice(1)).toEqual([`${drop.title} is back`])
    }
    // Emails to a whole waitlist are marked as bulk, so that a receipt that becomes due meanwhile is sent first.
    const waves = await db().outboxMail.findMany({ where: { subject: `${drop.title} is back`, to: { in: emails } } })
    expect(waves.map(({ isBulk }) => isBulk)).toEqual(emails.map(() => true))
  })
})

describe('one network', () => {
  const waitFrom = async (drop: { uniqueId: string }, ip: string) => {
    const email = newAddress()
    await joinWaitlist(visitorFrom(ip), { identifier: drop.uniqueId, email })
    await confirmWaitlist(visitorFrom(ip), await secretTo(email, CONFIRM))
    return email
  }
  const offersOf = (dropId: number, state: 'held' | 'released') => db().hold.findMany({ where: { dropId, state } })

  it('is offered at most ten units of a small drop at a time, so that people in other networks need not wait', async () => {
    const drop = await makeDrop({ quantity: 14 })
    await db().drop.update({ where: { id: drop.id }, data: { held: 14 } })
    for (let mailbox = 0; mailbox < 13; mailbox += 1) await waitFrom(drop, '203.0.113.7')
    const other = await waitFrom(drop, '198.51.100.9')
    await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
    expect(await offerFreedUnits(job())).toBe(11)
    expect((await mailsTo(other)).map(({ subject }) => subject)).toContain('Reserved for you: Test mug')
    expect(await offerFreedUnits(job())).toBe(0)
    // Expired offers still count toward the limit, but their weight halves every fifteen minutes.
    for (const { id } of await offersOf(drop.id, 'held')) await releaseHold(job(), id, 'expired')
    expect(await offerFreedUnits(job())).toBe(0)
    await ageHolds(drop.id, 15 * 60)
    expect(await offerFreedUnits(job())).toBe(3)
  })

  it('is offered at most 100 units of a large drop at a time', async () => {
    const drop = await makeDrop({ quantity: 2_000 })
    await db().drop.update({ where: { id: drop.id }, data: { held: 2_000 } })
    await waitFrom(drop, '203.0.113.21')
    const { id: _id, ...entry } = await db().waitlistEntry.findFirstOrThrow({ where: { dropId: drop.id } })
    const others = Array.from({ length: 119 }, (_, at) => {
      const email = newAddress()
      return { ...entry, email, mailbox: email, tokenHash: `${entry.tokenHash}${at}` }
    })
    await db().waitlistEntry.createMany({ data: others })
    await db().drop.update({ where: { id: drop.id }, data: { held: 0 } })
    while ((await offerFreedUnits(job())) > 0);
    expect(await offersOf(drop.id, 'held')).toHaveLength(100)
  })

  it('is removed from the waitlist entries two hours after the end of the drop', async () => {
    const drop = await makeDrop({ quantity: 1 })
    await db().drop.update({ where: { id: drop.id }, data: { held: 1 } })
    await waitFrom(drop, '203.0.113.8')
    const known = () => db().waitlistEntry.count({ where: { dropId: drop.id, originKey: { not: null } } })
    await forgetWaitingOrigins(job())
    expect(await known()).toBe(1)
    const endTime = new Date(Date.now() - 2.1 * 3_600_000)
    await db().drop.update({ where: { id: drop.id }, data: { held: 0, endTime } })
    await forgetWaitingOrigins(job())
    expect(await known()).toBe(0)
  })
})
