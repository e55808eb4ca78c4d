import { BusinessFacts } from '@/components/traders/business-facts'
import { Card } from '@/components/ui/card'
import { countryWithArticle } from '@/lib/kernel/country'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { type SalesView, type SellerDetailsView, toTraderView } from '@/lib/traders/view'
import { PlainDate } from './plain-date'

type SellerIdentityProps = { details: SellerDetailsView | null; sales: SalesView }

/**
 * Shows an administrator what a seller has stated, and the sales figures that count under the US INFORM Consumers Act.
 */
export function SellerIdentity({ details, sales }: SellerIdentityProps) {
  return (
    <section aria-labelledby="seller-identity" className="grid gap-3">
      <h2 id="seller-identity" className="text-xl font-bold">
        Seller details
      </h2>
      <Card className="grid gap-3 p-4 text-sm">
        {details ? (
          <Stated details={details} />
        ) : (
          <p className="text-muted">This seller hasn&apos;t entered any details yet.</p>
        )}
        <p className="tabular">
          {formatCount(sales.sales)} physical {sales.sales === 1 ? 'order' : 'orders'} for{' '}
          {formatUsd(sales.revenueCents)} in the twelve months with the most sales.{' '}
          {sales.isHighVolume ? (
            <strong>High-volume seller under the INFORM Consumers Act (200 sales and $5,000).</strong>
          ) : (
            'Below the thresholds of the INFORM Consumers Act (200 sales and $5,000).'
          )}
        </p>
      </Card>
    </section>
  )
}

function Stated({ details }: { details: SellerDetailsView }) {
  const trader = toTraderView(details)
  return (
    <div className="grid gap-1">
      {trader?.kind === 'business' ? (
        <>
          <p className="font-semibold">{trader.legalName}</p>
          <BusinessFacts trader={trader} />
        </>
      ) : (
        <p>Sells as a private person in {countryWithArticle(details.country)}.</p>
      )}
      <p className="text-muted">
        Stated on <PlainDate iso={details.statedAt} />
      </p>
    </div>
  )
}
