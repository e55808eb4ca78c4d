import { Button } from '@/components/ui/button'
import { filterAddress, type SellerOrderFilter } from '@/lib/orders/schema'
import { PrintButton } from './print-button'

type SlipControlsProps = {
  count: number
  size: 'a4' | 'label'
  filter: SellerOrderFilter
  order: string | undefined
  /** False when there are more slips than are printed at once. */
  isAll: boolean
}

/** Chooses what is printed and on which paper size. */
export function SlipControls({ count, size, filter, order, isAll }: SlipControlsProps) {
  const addressOf = (wanted: 'a4' | 'label') => {
    const address = order ? `/orders/slips?order=${order}` : filterAddress('/orders/slips', filter)
    return `${address}&size=${wanted}`
  }
  if (count === 0) return <p className="text-lg text-muted">There&apos;s nothing to ship right now.</p>
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <PrintButton />
        {(['a4', 'label'] as const).map((wanted) => (
          <Button key={wanted} asChild variant={size === wanted ? 'outline' : 'ghost'}>
            <a href={addressOf(wanted)} aria-current={size === wanted ? 'page' : undefined}>
              {wanted === 'a4' ? 'A4 sheet' : 'Label 4 × 6 in'}
            </a>
          </Button>
        ))}
      </div>
      <p className="text-sm text-muted">
        {count} {count === 1 ? 'slip' : 'slips'}
        {isAll ? '' : ', the newest. Print the rest once these are shipped'}. Scan the code on a slip with your phone to
        open its order and mark it as shipped.
      </p>
    </>
  )
}
