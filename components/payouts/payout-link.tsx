import { ArrowRight } from 'lucide-react'
import Link from 'next/link'
import { Card } from '@/components/ui/card'
import { formatUsd } from '@/lib/kernel/money'
import type { PayoutSummaryView } from '@/lib/payouts/view'

/**
 * The dashboard's line about money: what waits and for what, such as "$24 waiting – connect payouts"
 * (docs/product.md#payouts).
 */
function lineOf({ state, waitingCents, onTheWayCents }: PayoutSummaryView): string {
  const waiting = waitingCents > 0 ? `${formatUsd(waitingCents)} waiting – ` : ''
  if (state === 'notStarted') return `${waiting}${waiting ? 'connect payouts' : 'Connect payouts'}`
  if (state === 'incomplete') return `${waiting}${waiting ? 'payouts incomplete' : 'Payouts incomplete'}`
  if (state === 'review') return `${waiting}${waiting ? 'payouts under review' : 'Payouts under review'}`
  if (state === 'paused') return `${waiting}${waiting ? 'payouts paused' : 'Payouts paused'}`
  if (state === 'disconnected') return `${waiting}${waiting ? 'connect payouts again' : 'Connect payouts again'}`
  if (onTheWayCents > 0) return `${formatUsd(onTheWayCents)} on its way to your bank`
  return waitingCents > 0 ? `${formatUsd(waitingCents)} waiting for payout` : 'Your payouts'
}

export function PayoutLink({ summary }: { summary: PayoutSummaryView }) {
  return (
    <Link href="/payouts" className="group">
      <Card className="flex min-h-16 items-center justify-between gap-4 px-4 py-3 transition-colors group-hover:border-control">
        <span className="tabular font-semibold">{lineOf(summary)}</span>
        <ArrowRight aria-hidden className="size-5 text-muted" />
      </Card>
    </Link>
  )
}
