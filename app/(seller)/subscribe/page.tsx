import type { Metadata } from 'next'
import Link from 'next/link'
import { MessagePage } from '@/components/layout/message-page'
import { SellerHeader } from '@/components/layout/seller-header'
import { AlreadySubscribed } from '@/components/plans/already-subscribed'
import { LoggedOut } from '@/components/plans/logged-out'
import { SubscribeCard } from '@/components/plans/subscribe-card'
import { Button } from '@/components/ui/button'
import { currentSeller } from '@/lib/http/page'
import { paymentsMode } from '@/lib/infra/stripe'
import { subscriptionTexts, subscriptionToasts } from '@/lib/subscriptions/messages'

export const metadata: Metadata = { title: 'Subscribe' }

const REASONS = [
  ['Keep more of every sale', 'A 3% fee instead of 5%. Pro pays for itself from $500 in sales a month.'],
  ['Sell more than products', 'Digital goods and services as well as physical products, three drops at a time.'],
  ['Links worth sharing', 'Choose your own link, and watch your analytics live.'],
] as const

export default async function SubscribePage() {
  const seller = await currentSeller()
  if (!seller) {
    const { title, description } = subscriptionToasts.unauthorized
    return (
      <MessagePage title={title} text={description}>
        <LoggedOut />
        <Button asChild>
          <Link href="/login?redirect=/subscribe">Sign in</Link>
        </Button>
      </MessagePage>
    )
  }
  const home = (
    <Button asChild variant="outline">
      <Link href="/">Back to your drops</Link>
    </Button>
  )
  if (seller.user.plan === 'pro') {
    return (
      <MessagePage title={subscriptionTexts.alreadySubscribed} text={subscriptionTexts.alreadySubscribedText}>
        <AlreadySubscribed />
        {home}
      </MessagePage>
    )
  }
  if (paymentsMode() === 'off') {
    return (
      <MessagePage title={subscriptionTexts.notAvailableTitle} text={subscriptionTexts.notAvailable}>
        {home}
      </MessagePage>
    )
  }
  return (
    <>
      <SellerHeader plan={seller.user.plan} />
      <main className="mx-auto grid max-w-4xl gap-6 px-5 pt-4 pb-24 md:grid-cols-2 md:items-start">
        <h1 className="text-4xl font-extrabold md:col-span-2">Upgrade to Pro</h1>
        <SubscribeCard />
        <section aria-labelledby="why-heading" className="grid gap-4">
          <h2 id="why-heading" className="text-2xl font-bold">
            Why upgrade
          </h2>
          {REASONS.map(([title, text]) => (
            <div key={title} className="grid gap-1">
              <h3 className="text-lg font-bold">{title}</h3>
              <p className="text-muted">{text}</p>
            </div>
          ))}
          <p className="text-sm text-muted">
            14-day money-back guarantee, in your settings. Cancel anytime and keep Pro until the end of your billing
            period.
          </p>
          {home}
        </section>
      </main>
    </>
  )
}
