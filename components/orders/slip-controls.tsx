import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { filterAddress, type SellerOrderFilter } from '@/lib/orders/filter-schema'
import { PrintButton } from './print-button'

type SlipControlsProps = {
  count: number
  size: 'a4' | 'label'
  filter: SellerOrderFilter
  order: string | undefined
  /** False when the page has reached its maximum number of slips and may lack some. */
  isAll: boolean
}

/** Shows the button that prints the slips, the choice of the paper size, and how many slips there are. */
export function SlipControls({ count, size, filter, order, isAll }: SlipControlsProps) {
  const urlOf = (wanted: 'a4' | 'label') => {
    const url = order ? `/orders/slips?order=${order}` : filterAddress('/orders/slips', filter)
    return `${url}&size=${wanted}`
  }
  if (count === 0) {
    return (
      <div className="grid justify-items-start gap-3">
        <p className="text-lg text-muted">There&apos;s nothing to ship right now.</p>
        <Button asChild variant="outline">
          <Link href="/orders" prefetch={false}>
            See all orders
          </Link>
        </Button>
      </div>
    )
  }
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <PrintButton />
        {(['a4', 'label'] as const).map((wanted) => (
          <Button key={wanted} asChild variant={size === wanted ? 'outline' : 'ghost'} className="px-3.5">
            <a href={urlOf(wanted)} aria-current={size === wanted ? 'page' : undefined}>
              {wanted === 'a4' ? 'A4 sheet' : 'Label 4 × 6 in'}
            </a>
          </Button>
        ))}
      </div>
      <p className="text-sm text-muted">
        {isAll
          ? `${count} ${count === 1 ? 'slip' : 'slips'}.`
          : `Showing the ${count} oldest orders. Print the rest once these have shipped.`}{' '}
        Scan the code on a slip with your phone to open its order and mark it as shipped.
      </p>
    </>
  )
}
