import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
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
