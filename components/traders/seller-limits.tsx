import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { highVolumeText, sellerLimitText, limitUseText, traderTexts } from '@/lib/traders/messages'
import type { LimitUse } from '@/lib/traders/rules'
import type { SalesView } from '@/lib/traders/view'

type SellerLimitsProps = {
  /** How much of the monthly limit is used, and the home country; null for a seller without a limit. */
  limit: (LimitUse & { home: string }) | null
  /** The sales of a high-volume seller who has not stated that they sell as a business; null for everyone else. */
  sales: SalesView | null
}

/** Says what limits the seller now, and what ends the limit. */
export function SellerLimits({ limit, sales }: SellerLimitsProps) {
  if (!limit && !sales) return null
  return (
    <Card className="grid gap-4 p-4">
      {limit ? (
        <div className="grid gap-2">
          <h2 className="text-lg font-bold">{traderTexts.limitTitle}</h2>
          <p className="tabular text-2xl font-bold">{limitUseText(limit.usedCents, limit.capCents)}</p>
          <p className="text-sm text-muted">{sellerLimitText(limit.capCents, limit.home)}</p>
        </div>
      ) : null}
      {sales ? <p className="text-sm">{highVolumeText(sales.sales, sales.revenueCents)}</p> : null}
      <Button asChild variant="outline" className="justify-self-start">
        <a href="/payouts">{traderTexts.connect}</a>
      </Button>
    </Card>
  )
}
