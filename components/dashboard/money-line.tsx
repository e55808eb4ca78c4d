import Link from 'next/link'
import { formatUsd } from '@/lib/kernel/money'
import { payoutStateTexts } from '@/lib/payouts/messages'
import { EARNED_DAYS } from '@/lib/payouts/rules'
import type { MoneyLineView } from '@/lib/payouts/view'

type Sum = { label: string; cents: number; note: string; isBad?: boolean }

function sumsOf(money: MoneyLineView): Sum[] {
  const { state, isStopped, earnedCents, waitingCents, onTheWayCents, debtCents, nextDay, arrivalDay } = money
  const next = isStopped ? 'on hold' : nextDay ? `next ${nextDay}` : 'sent soon'
  const sums: Sum[] = [
    { label: 'Earned', cents: earnedCents, note: `last ${EARNED_DAYS} days` },
    {
      label: 'Pending',
      cents: waitingCents,
      note:
        waitingCents === 0 ? 'nothing pending' : state === 'ready' ? next : payoutStateTexts[state].label.toLowerCase(),
    },
    { label: 'On its way', cents: onTheWayCents, note: arrivalDay ? `by ${arrivalDay}` : 'to your bank' },
  ]
  return debtCents > 0
    ? [...sums, { label: 'You owe', cents: debtCents, note: 'from your next payouts', isBad: true }]
    : sums
}

/**
 * Shows what the seller has earned lately, what waits for a payout, what is on its way to the bank, and what the seller
 * owes.
 */
export function MoneyLine({ money }: { money: MoneyLineView }) {
  return (
    <section
      aria-label="Your money"
      className="relative rounded-card border bg-surface shadow-card transition-colors hover:border-control"
    >
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(min(5.5rem,100%),1fr))] gap-x-3 gap-y-3 px-4 py-3">
        {sumsOf(money).map(({ label, cents, note, isBad }) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-muted">{label}</dt>
            <dd>
              <span
                className={`tabular block font-display text-[clamp(1rem,4.6vw,1.125rem)] leading-tight font-bold whitespace-nowrap md:text-2xl ${isBad ? 'text-bad' : ''}`}
              >
                {formatUsd(cents)}
              </span>
              <span className="block text-xs text-muted">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
      <Link href="/payouts" prefetch={false} aria-label="See your payouts" className="absolute inset-0 rounded-card" />
    </section>
  )
}
