import { clsx } from 'clsx'
import type { DropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'

/**
 * Says what is left. Units in checkout are named as such and never as sold, because their holds may lapse
 * (docs/product.md#holds).
 */
function stockText(drop: Pick<DropView, 'available' | 'inCheckout' | 'quantity' | 'state'>): string {
  if (drop.state === 'soldOut') return 'Sold out'
  const inCheckout = drop.inCheckout > 0 ? `, ${formatCount(drop.inCheckout)} in checkout` : ''
  return `${formatCount(drop.available)} of ${formatCount(drop.quantity)} left${inCheckout}`
}

export function StockLine({ drop, className }: { drop: DropView; className?: string }) {
  const partOf = (units: number) => (drop.quantity === 0 ? 0 : units / drop.quantity)
  return (
    <div className={clsx('grid gap-1.5', className)}>
      <p className="tabular text-sm font-medium" aria-live="polite">
        {stockText(drop)}
      </p>
      <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-line">
        {/* The bar shows what is left and shrinks like the fuse above the picture. */}
        <div className="bg-ink" style={{ width: `${partOf(drop.available) * 100}%` }} />
        <div className="bg-ink/40" style={{ width: `${partOf(drop.inCheckout) * 100}%` }} />
      </div>
    </div>
  )
}
