import { clsx } from 'clsx'
import type { DropView } from '@/lib/drops/view'
import { writeText } from '@/lib/client/write-text'
import { orderedSoFarText } from '@/lib/drops/editions/open-messages'
import { formatCount } from '@/lib/kernel/format-count'
import { AnnounceChange } from './announce-change'
import { LocalTime } from '@/components/drops/local-time'

/**
 * Returns a text that says how many units are left or, for an open edition, how many are ordered. Units in checkout are
 * not counted as sold, because their holds may expire (docs/product.md#holds).
 */
function stockText(drop: DropView): string {
  if (drop.isOpenEdition) return orderedSoFarText(drop)
  if (drop.state === 'soldOut') return 'Sold out'
  const inCheckout = drop.inCheckout > 0 ? `, ${formatCount(drop.inCheckout)} in checkout` : ''
  return `${formatCount(drop.available)} of ${formatCount(drop.quantity)} left${inCheckout}`
}

/** What a screen reader announces when the number of free units has changed. */
function stockNews({ isOpenEdition, state, available }: DropView): string {
  if (isOpenEdition || state !== 'live' || available > 4) return ''
  return available === 0 ? 'All in checkout' : 'Fewer than 5 left'
}

export function StockLine({ drop, className }: { drop: DropView; className?: string }) {
  const partOf = (units: number) => (drop.quantity === 0 ? 0 : units / drop.quantity)
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <p
        ref={(element) => writeText(element, stockText(drop))}
        data-stock={`/api/drop/${encodeURIComponent(drop.identifier)}`}
        // UnhydratedClock updates the text before hydration.
        suppressHydrationWarning
        className="tabular text-sm font-medium"
      >
        {stockText(drop)}
      </p>
      {/* A screen reader does not read out every sale of a drop that sells fast. */}
      <AnnounceChange text={stockNews(drop)} />
      {drop.isOpenEdition ? (
        <p className="text-sm text-muted">
          Open until <LocalTime iso={drop.endTime} />
        </p>
      ) : (
        <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-line">
          {/* The bar shows how many units are left, and gets shorter, like the fuse above the picture. */}
          <div className="bg-ink" style={{ width: `${partOf(drop.available) * 100}%` }} />
          <div className="bg-ink/40" style={{ width: `${partOf(drop.inCheckout) * 100}%` }} />
        </div>
      )}
    </div>
  )
}
