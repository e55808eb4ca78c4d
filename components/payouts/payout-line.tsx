import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { formatSignedUsd, formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import { taxTexts } from '@/lib/traders/messages'
import { disputedTexts, payoutDueText, sendAgainText } from '@/lib/payouts/messages'
import type { PayoutLineView, PayoutSummaryView } from '@/lib/payouts/view'

const TONES = { waiting: 'warn', sent: 'good', reversed: 'secondary' } as const
const LABELS = { waiting: 'Pending', sent: 'Sent', reversed: 'Reversed' } as const

function whenOf(
  {
    state,
    dueAt,
    dispute,
    sentAt,
    arrival,
    debtCents,
    dueAgainCents,
    againCents,
    payoutCents,
    settledIn,
    handPayments,
    isPromisedParcel,
  }: PayoutLineView,
  { state: account, heldUntil }: PayoutSummaryView,
  { timezone, now }: { timezone: string; now: Date },
): string | null {
  const day = (iso: string) => formatDay(new Date(iso), timezone)
  if (debtCents > 0) return `You owe ${formatUsd(debtCents)}, deducted from your next payouts`
  if (dispute && state !== 'sent') return disputedTexts[dispute === 'open' && sentAt ? 'openAfterPayout' : dispute]
  if (againCents > 0) return sendAgainText(againCents)
  if (state === 'reversed') return 'Refunded to the buyer'
  if (dueAgainCents > 0) return `${formatUsd(dueAgainCents)} is due again. We'll send it by bank transfer.`
  const byHand = handPayments.at(-1)
  if (byHand) return `Paid by bank transfer on ${day(byHand.paidAt)}`
  if (state === 'sent' && payoutCents === 0) return 'Nothing left to send'
  if (arrival) return `Expected ${day(arrival.earliest)} – ${day(arrival.latest)}`
  if (settledIn) return `Stripe settled this payment in ${settledIn}. We'll pay you by bank transfer.`
  // The card above the statement says what is missing, once for all rows.
  if (account !== 'ready') return null
  return payoutDueText(new Date(dueAt), { heldUntil, timezone, now, isPromisedParcel })
}

/** Returns a row for an amount that most orders do not have, and no row when the amount is zero. */
function sumRow(label: string, cents: number): [string, string][] {
  return cents === 0 ? [] : [[label, formatSignedUsd(cents)]]
}

type PayoutLineProps = { line: PayoutLineView; account: PayoutSummaryView; timezone: string; now: Date }

/** Shows one order of the statement: what the buyer paid, what is deducted, and when the rest is paid out. */
export function PayoutLine({ line, account, timezone, now }: PayoutLineProps) {
  const rows: [string, string][] = [
    ['Paid by the buyer', formatUsd(line.amountCents)],
    [line.taxCents > 0 ? taxTexts.feeAndTax : 'Platform fee', `−${formatUsd(line.platformFeeCents)}`],
    ['Card fee', line.cardFeeCents === null ? 'Pending' : `−${formatUsd(line.cardFeeCents)}`],
    ...sumRow(line.dispute ? 'Deducted for refunds and disputes' : 'Deducted for refunds', -line.deductedCents),
    ...sumRow('Card fee Stripe kept after the refund', -line.feeOwedCents),
    ...sumRow('Deducted for other orders', -line.withheldCents),
    ...sumRow('Paid back', line.recoveredCents),
    ...sumRow('You still owe', line.debtCents),
    ...line.handPayments.map(({ amountCents, reference }): [string, string] => [
      `Paid by bank transfer, reference ${reference}`,
      formatUsd(amountCents),
    ]),
    ...sumRow('Due again after a failed refund', line.dueAgainCents),
  ]
  const when = whenOf(line, account, { timezone, now })
  return (
    <Card className="p-4">
      <details>
        <summary className="grid min-h-11 cursor-pointer grid-cols-[1fr_auto] items-center gap-x-4">
          <span className="line-clamp-2 font-semibold">{line.title}</span>
          <span className="tabular text-end font-bold">{formatUsd(line.payoutCents)}</span>
          <span className="tabular text-sm text-muted">
            {line.reference} · {formatDay(new Date(line.paidAt), timezone)}
          </span>
          <Badge variant={TONES[line.state]} className="justify-self-end">
            {LABELS[line.state]}
          </Badge>
          {when === null ? null : <span className="col-span-2 text-sm text-muted">{when}</span>}
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
            <dd className="tabular">
              <a href={`/orders/${line.orderId}`} className="underline underline-offset-2">
                {line.reference}
              </a>
            </dd>
          </div>
        </dl>
      </details>
    </Card>
  )
}
