import { Eye } from 'lucide-react'
import { DropCover } from '@/components/drops/drop-cover'
import { LocalTime } from '@/components/drops/local-time'
import { TimeLeft } from '@/components/drops/time-left'
import { Badge } from '@/components/ui/badge'
import { openTexts, orderedSoFarText } from '@/lib/drops/editions/open-messages'
import { priceOf } from '@/lib/drops/delivery/zone-messages'
import type { DropView } from '@/lib/drops/view'
import { productTypeLabels } from '@/lib/kernel/product-type'

const count = new Intl.NumberFormat('en-US')

/**
 * Shows a drop on the public profile with its picture or icon, title, price, time, views and type
 * (docs/product.md#public-profile).
 */
export function ProfileDropCard({ drop, isHero }: { drop: DropView; isHero: boolean }) {
  return (
    <a href={`/drop/${drop.identifier}`} className="group grid content-start gap-3">
      <DropCover drop={drop} isHero={isHero}>
        <span className="absolute top-3 start-3 flex flex-wrap gap-1.5">
          <Badge variant="secondary" className="bg-paper text-ink">
            {productTypeLabels[drop.productType]}
          </Badge>
          {drop.state === 'soldOut' ? (
            <Badge variant="default">{drop.isOpenEdition ? openTexts.fullBadge : 'Sold out'}</Badge>
          ) : null}
          {drop.isFeatured ? (
            <Badge variant="secondary" className="bg-paper text-ink">
              Featured
            </Badge>
          ) : null}
        </span>
      </DropCover>
      <div className="grid gap-1">
        <h3 className="text-lg leading-snug font-bold group-hover:underline">{drop.title}</h3>
        <p className="tabular flex flex-wrap items-center gap-x-3 text-sm">
          <span className="font-semibold">{priceOf(drop)}</span>
          {drop.state === 'upcoming' ? (
            <span className="font-semibold">
              Starts <LocalTime iso={drop.startedAt} />
            </span>
          ) : (
            <TimeLeft endTime={drop.endTime} serverTime={drop.serverTime} hasSeconds={false} />
          )}
          {drop.isOpenEdition && drop.state !== 'upcoming' ? <span>{orderedSoFarText(drop)}</span> : null}
          <span className="ms-auto inline-flex items-center gap-1 text-muted">
            <Eye aria-hidden className="size-4" />
            {count.format(drop.views)} {drop.views === 1 ? 'view' : 'views'}
          </span>
        </p>
      </div>
    </a>
  )
}
