import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { formatUsd } from '@/lib/kernel/money'
import type { PayoutsState } from '@/lib/payouts/rules'
import type { PayoutLineView } from '@/lib/payouts/view'

const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })

const TONES = { waiting: 'warn', sent: 'good', reversed: 'secondary' } as const
const LABELS = { waiting: 'Waiting', sent: 'Sent', reversed: 'Taken back' } as const

function whenOf(
  { state, dueAt, arrival, debtCents, settledIn }: PayoutLineView,
  account: PayoutsState,
  now: Date,
): string {
  if (debtCents > 0) return `You owe ${formatUsd(debtCents)}, deducted from your next payouts`
  if (state === 'reversed') return 'Refunded to the buyer'
  if (arrival) return `Expected ${day(arrival.earliest)} – ${day(arrival.latest)}`
  if (settledIn) return `Waiting: settled in ${settledIn}. We send it by hand.`
  if (new Date(dueAt) > now) return `Sent when shipped, or on ${day(dueAt)}`
  return account === 'ready' ? 'Sent within a minute' : 'Connect payouts to receive this'
}

/** A row for an amount that most orders do not have. It is left out when the amount is zero. */
function sumRow(label: string, cents: number): [string, string][] {
  return cents === 0 ? [] : [[label, `${cents < 0 ? '−' : ''}${formatUsd(Math.abs(cents))}`]]
}

type PayoutLineProps = { line: PayoutLineView; account: PayoutsState; now: Date }

/** One order of the statement: what was paid, what was deducted, and what is paid out and when. */
export function PayoutLine({ line, account, now }: PayoutLineProps) {
  const rows: [string, string][] = [
    ['Paid by the buyer', formatUsd(line.amountCents)],
    ['Platform fee', `−${formatUsd(line.platformFeeCents)}`],
    ['Card fee', line.cardFeeCents === null ? 'not known yet' : `−${formatUsd(line.cardFeeCents)}`],
    ...sumRow('Deducted for refunds', -line.deductedCents),
    ...sumRow('Card fee of the refund, kept by Stripe', -line.feeOwedCents),
    ...sumRow('Deducted for other orders', -line.withheldCents),
    ...sumRow('Paid from later payouts', line.recoveredCents),
    ...sumRow('You still owe', line.debtCents),
  ]
  return (
    <Card className="p-4">
      <details>
        <summary className="grid min-h-11 cursor-pointer grid-cols-[1fr_auto] items-center gap-x-4">
          <span className="line-clamp-2 font-semibold">{line.title}</span>
          <span className="tabular text-right font-bold">{formatUsd(line.payoutCents)}</span>
          <span className="text-sm text-muted">{whenOf(line, account, now)}</span>
          <Badge variant={TONES[line.state]} className="justify-self-end">
            {LABELS[line.state]}
          </Badge>
        </summary>
        <dl className="mt-3 grid gap-1 border-t pt-3 text-sm">
          {rows.map(([label, value]) => (
            <div key={label} className="flex justify-between gap-4">
              <dt className="text-muted">{label}</dt>
              <dd className="tabular">{value}</dd>
            </div>
          ))}
          <div className="flex justify-between gap-4">
            <dt className="text-muted">Order</dt>
            <dd className="tabular">{line.reference}</dd>
          </div>
        </dl>
      </details>
    </Card>
  )
}
