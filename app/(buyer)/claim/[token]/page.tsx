import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { ClaimTimer } from '@/components/checkout/claim-timer'
import { CountryOptions } from '@/components/drop-page/country-options'
import { DropImage } from '@/components/drops/drop-image'
import { MessagePage } from '@/components/layout/message-page'
import { SoldBy } from '@/components/traders/sold-by'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { NativeSelect } from '@/components/ui/native-select'
import { hasSurcharge, shippingText, zoneTexts } from '@/lib/drops/delivery/zone-messages'
import { onlyCountry, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { formatUsd } from '@/lib/kernel/money'
import { findTrader } from '@/lib/traders/queries'
import { waitlistTexts } from '@/lib/waitlist/messages'
import { findClaimPage } from '@/lib/waitlist/queries'
import { waitlistTokenSchema } from '@/lib/waitlist/schema'

type Props = { params: Promise<{ token: string }> }

const findOnce = cache((token: string) => findClaimPage({ ...database(), sellerLimit: env().sellerLimit }, token))

async function findClaim({ params }: Props) {
  const token = waitlistTokenSchema.safeParse((await params).token)
  const found = token.success ? await findOnce(token.data) : null
  return found && { ...found, token: token.data }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const claim = (await findClaim(props))?.claim
  const [open, retry, over] = [waitlistTexts.claimTitle, waitlistTexts.claimRetryTitle, waitlistTexts.claimOverTitle]
  return { title: claim?.isOpen ? open : claim?.mayRetry ? retry : over, robots: { index: false } }
}

// Opening the page claims nothing, because email programs follow links by themselves. Only the button claims the unit.
export default async function ClaimPage(props: Props) {
  const found = await findClaim(props)
  if (!found) notFound()
  const { claim, drop, token, sellerId, sellerUsername } = found
  const path = `/drop/${drop.identifier}`
  if (claim.mayRetry) {
    return (
      <MessagePage isForBuyers title={waitlistTexts.claimRetryTitle} text={waitlistTexts.claimRetry}>
        <form method="post" action={`/claim/${token}/buy`} className="w-full">
          <Button type="submit" size="lg" className="w-full">
            {waitlistTexts.claimRetryButton}
          </Button>
        </form>
      </MessagePage>
    )
  }
  if (!claim.isOpen) {
    const text = claim.isUnpaid ? waitlistTexts.claimUnpaid : waitlistTexts.claimOver
    return (
      <MessagePage isForBuyers title={waitlistTexts.claimOverTitle} text={text}>
        <Button asChild>
          <a href={path}>Go to the drop</a>
        </Button>
      </MessagePage>
    )
  }
  const [image] = drop.images
  const trader = await findTrader(database().db, sellerId)
  const zones = drop.shippingZones ?? []
  const country = claim.shipsTo ?? onlyCountry(zones)
  const zone = zoneOf(zones, country)
  const shipping = country && zone ? { country, cents: zone.surchargeCents } : null
  const asksCountry = zones.length > 0 && !shipping
  return (
    <MessagePage
      isForBuyers
      title={waitlistTexts.claimTitle}
      text={`One “${claim.title}” is reserved for you.`}
      mark={
        image ? (
          // The picture is lower above the question for a country, so that the button is visible without scrolling.
          <div
            className={cn(
              'w-full overflow-hidden rounded-card bg-sunken low:w-40',
              asksCountry ? 'aspect-video low:aspect-[4/3]' : 'aspect-[4/3]',
            )}
          >
            <DropImage image={image} alt={drop.title} sizes="(min-width: 448px) 26rem, 92vw" isHero />
          </div>
        ) : null
      }
    >
      <ClaimTimer
        expiresAt={claim.expiresAt.toISOString()}
        serverTime={drop.serverTime}
        dropId={drop.id}
        path={`/claim/${token}`}
      />
      <form method="post" action={`/claim/${token}/buy`} className="w-full">
        {asksCountry ? (
          <label className="mb-3 grid gap-2 text-start text-sm font-semibold">
            {zoneTexts.shipTo}
            <NativeSelect name="country" required defaultValue="">
              <CountryOptions zones={zones} />
            </NativeSelect>
          </label>
        ) : null}
        {shipping ? <p className="tabular mb-3 text-muted">{shippingText(shipping.country, shipping.cents)}</p> : null}
        <Button type="submit" variant="buy" size="lg" className="tabular w-full">
          Buy – {formatUsd(drop.priceCents + (shipping?.cents ?? 0))}
          {asksCountry && hasSurcharge(zones) ? ' + shipping' : ''}
        </Button>
      </form>
      {trader ? <SoldBy trader={trader} username={sellerUsername} /> : null}
    </MessagePage>
  )
}
