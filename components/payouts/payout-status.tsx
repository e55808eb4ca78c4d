import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { formatUsd } from '@/lib/kernel/money'
import { payoutsHeldText, payoutsStoppedText, payoutStateTexts } from '@/lib/payouts/messages'
import type { PayoutSummaryView } from '@/lib/payouts/view'
import { PayoutStep } from './payout-step'

const TONES = {
  notStarted: 'warn',
  incomplete: 'warn',
  review: 'secondary',
  paused: 'destructive',
  ready: 'good',
  disconnected: 'destructive',
} as const

type PayoutStatusProps = { summary: PayoutSummaryView; timezone: string; isSandbox: boolean }

/**
 * Shows where the seller's money is and the one thing to do about it. In the sandbox the seller also plays the payment
 * provider's reviewer, because there is no real one.
 */
export function PayoutStatus({ summary, timezone, isSandbox }: PayoutStatusProps) {
  const { label, text, button: step } = payoutStateTexts[summary.state]
  const isStopped = summary.state === 'ready' && summary.heldUntil !== null && summary.isStopped
  const button = step ?? (isSandbox ? 'Play the reviewer (sandbox)' : null)
  return (
    <Card className="grid gap-4 p-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-xl font-bold">Your payout account</h2>
        {isStopped ? <Badge variant="warn">On hold</Badge> : <Badge variant={TONES[summary.state]}>{label}</Badge>}
      </div>
      <dl className="grid grid-cols-[repeat(3,auto)] justify-between gap-3 sm:grid-cols-3">
        <Sum label="Pending" cents={summary.waitingCents} />
        <Sum label="On its way" cents={summary.onTheWayCents} />
        <Sum label="Paid out" cents={summary.sentCents} />
      </dl>
      {summary.debtCents > 0 ? (
        <p className="rounded-control bg-warn/8 p-3 text-sm">
          <strong className="tabular">You owe {formatUsd(summary.debtCents)}.</strong> We&apos;ll deduct it from your
          next payouts. The orders below show what it&apos;s for.
        </p>
      ) : null}
      {summary.heldUntil ? (
        <p className="rounded-control bg-warn/8 p-3 text-sm">
          {(summary.isStopped ? payoutsStoppedText : payoutsHeldText)(summary.heldUntil, timezone)}
        </p>
      ) : null}
      <p className="text-muted">{text}</p>
      {button ? (
        <PayoutStep
          label={button}
          variant={summary.state === 'ready' ? 'outline' : 'default'}
          asksCountry={summary.state === 'notStarted'}
        />
      ) : null}
    </Card>
  )
}

function Sum({ label, cents }: { label: string; cents: number }) {
  return (
    <div>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="tabular text-lg font-bold whitespace-nowrap sm:text-xl">{formatUsd(cents)}</dd>
    </div>
  )
}
