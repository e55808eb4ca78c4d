import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { LocalTime } from '@/components/drops/local-time'
import { PayoutLink } from '@/components/payouts/payout-link'
import { Card } from '@/components/ui/card'
import { formatCount } from '@/lib/kernel/format-count'
import type { PayoutSummaryView } from '@/lib/payouts/view'

/** What a seller has to do about orders. `respondBy` is the earliest deadline of a dispute, as an ISO date. */
export type SellerToDo = { toShip: number; refundRequests: number; disputes: number; respondBy: string | null }

const counted = (count: number, one: string, many: string) => `${formatCount(count)} ${count === 1 ? one : many}`

/** Lists what the seller has to do, most urgent first, and where the money is. */
export function ToDo({ toDo, payouts }: { toDo: SellerToDo; payouts: PayoutSummaryView }) {
  const { toShip, refundRequests, disputes, respondBy } = toDo
  return (
    <section aria-label="Orders and money" className="grid gap-3 md:grid-cols-2">
      {disputes > 0 ? (
        <ToDoLink href="/orders?show=disputed" isUrgent>
          Respond to {counted(disputes, 'dispute', 'disputes')}
          {respondBy ? (
            <span className="block text-sm font-normal text-muted">
              by <LocalTime iso={respondBy} />
            </span>
          ) : null}
        </ToDoLink>
      ) : null}
      {refundRequests > 0 ? (
        <ToDoLink href="/orders?show=asked" isUrgent>
          Answer {counted(refundRequests, 'refund request', 'refund requests')}
        </ToDoLink>
      ) : null}
      <ToDoLink href={toShip > 0 ? '/orders?show=ship' : '/orders'}>
        {toShip > 0 ? `${counted(toShip, 'order', 'orders')} to ship` : 'Your orders'}
      </ToDoLink>
      <PayoutLink summary={payouts} />
    </section>
  )
}

type ToDoLinkProps = { href: string; isUrgent?: boolean; children: React.ReactNode }

function ToDoLink({ href, isUrgent = false, children }: ToDoLinkProps) {
  return (
    <Link href={href} className="group">
      <Card
        className={`flex min-h-16 items-center justify-between gap-4 px-4 py-3 transition-colors group-hover:border-control ${isUrgent ? 'border-warn' : ''}`}
      >
        <span className="font-semibold">{children}</span>
        <ArrowRight aria-hidden className="size-5 text-muted" />
      </Card>
    </Link>
  )
}
