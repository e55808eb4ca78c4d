import { type Context, systemContext } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import { standIn } from '@/lib/infra/stripe'
import type { UserActor } from '@/lib/kernel/actor'
import type { BillingPeriod } from '@/lib/plans/rules'
import { finishUpgrade } from '@/lib/subscriptions/finish-upgrade'
import { previewSwitch } from '@/lib/subscriptions/preview-switch'
import { startUpgrade } from '@/lib/subscriptions/start-upgrade'
import { switchPeriod } from '@/lib/subscriptions/switch-period'
import { syncSubscription } from '@/lib/subscriptions/sync-subscription'
import { actorOf, contextFor, makeSeller } from './factories'
import { pay } from './shop'

export const DAY_SECONDS = 24 * 60 * 60

/** Returns the id of the checkout session from the address of its payment page. */
export const sessionOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

export type Subscriber = {
  id: number
  own: Context<UserActor>
  email: string
  customer: string
  subscriptionId: string
}

/** Lets a new seller buy Pro with the test card of this number. */
export async function subscribe(options: { period?: 'monthly' | 'yearly'; card?: string } = {}): Promise<Subscriber> {
  const seller = await makeSeller()
  const own = contextFor(actorOf(seller))
  const url = await startUpgrade(own, options.period ?? 'monthly')
  expect((await pay(url, options.card)).status).toBe(303)
  expect(await finishUpgrade(own, sessionOf(url))).toBe(true)
  const { stripeCustomerId, subscription } = await db().user.findUniqueOrThrow({
    where: { id: seller.id },
    include: { subscription: true },
  })
  const { id, email } = seller
  return {
    id,
    own,
    email,
    customer: stripeCustomerId ?? '',
    subscriptionId: subscription?.stripeSubscriptionId ?? '',
  }
}

/** Advances a subscription by some days, and then reads its state from Stripe as the webhook does. */
export async function pass({ subscriptionId, customer }: Subscriber, days: number): Promise<void> {
  await standIn()!.advanceSubscription(subscriptionId, days * DAY_SECONDS)
  await syncSubscription(systemContext('test'), customer)
}

/** Switches the billing period as the settings do: reads what it costs today, and confirms that amount. */
export async function switchAsShown(own: Context<UserActor>, billingPeriod: BillingPeriod): Promise<void> {
  const { todayCents } = await previewSwitch(own, billingPeriod)
  await switchPeriod(own, { billingPeriod, todayCents })
}
