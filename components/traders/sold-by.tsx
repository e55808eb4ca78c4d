import { ChevronDown } from 'lucide-react'
import { cn } from '@/components/ui/class-names'
import { certifiedText, privateSellerText, soldByText } from '@/lib/traders/messages'
import type { TraderView } from '@/lib/traders/view'
import { BusinessFacts } from './business-facts'

type SoldByProps = { trader: TraderView; username: string | null; className?: string }

/**
 * Says who sells (docs/product.md#seller-details): a business with its address, in a section that opens without
 * JavaScript, or that the seller is a private person.
 */
export function SoldBy({ trader, username, className }: SoldByProps) {
  if (trader.kind === 'private') {
    return <p className={cn('py-3 text-sm text-muted', className)}>{privateSellerText(username)}</p>
  }
  return (
    <details className={cn('group text-sm', className)}>
      <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-2 font-medium [&::-webkit-details-marker]:hidden">
        <span dir="auto" className="wrap-anywhere">
          {soldByText(trader.legalName)}
        </span>
        <ChevronDown aria-hidden className="size-5 shrink-0 text-muted group-open:rotate-180" />
      </summary>
      <div className="grid gap-2 pb-3">
        <BusinessFacts trader={trader} />
        <p className="text-muted">{certifiedText(trader.legalName)}</p>
      </div>
    </details>
  )
}
