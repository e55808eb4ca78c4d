import Link from 'next/link'
import { FigureBar } from '@/components/drops/figure-bar'
import { PageTitle } from '@/components/layout/page-title'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { demandText } from '@/lib/drops/analytics/demand-messages'
import { sourceLabels } from '@/lib/drops/messages'
import { conversionText } from '@/lib/drops/rules'
import { durationText } from '@/lib/drops/history/history-rules'
import { formatCount } from '@/lib/kernel/format-count'
import { formatSignedUsd, formatUsd } from '@/lib/kernel/money'
import type { Plan } from '@/lib/kernel/plan'
import { formatMoment } from '@/lib/kernel/time'
import { taxTexts } from '@/lib/traders/messages'
import { payoutDayText, recapTexts } from '@/lib/payouts/messages'
import type { PayoutsState } from '@/lib/payouts/rules'
import type { RecapMoney, RecapView } from '@/lib/payouts/view'

type RecapProps = { recap: RecapView; plan: Plan; timezone: string; payoutsState: PayoutsState; now: Date }

/** Shows how a run went: what was sold, what the seller keeps and when it is paid out, and where buyers came from. */
export function Recap({ recap, plan, timezone, payoutsState, now }: RecapProps) {
  const { title, run, sold, quantity, soldOutMs, views, checkouts, refused, isOn, startedAt, endTime } = recap
  const figures = [
    ['Views', formatCount(views)],
    ['Conversion', conversionText(sold, views)],
    ['Unpaid checkouts', formatCount(checkouts.unpaid)],
    ['Checkouts turned away or delayed', formatCount(refused)],
  ] as const
  return (
    <main className="mx-auto grid max-w-3xl gap-5 px-5 pb-24">
      <div className="grid gap-1">
        <PageTitle>Recap</PageTitle>
        <p className="text-lg font-semibold">
          {title}
          {run > 1 ? `, run ${run}` : ''}
        </p>
        <p className="text-sm text-muted">
          {formatMoment(startedAt, timezone)} to {formatMoment(endTime, timezone)}
        </p>
        {isOn ? <p className="text-sm text-muted">{recapTexts.isOn}</p> : null}
      </div>
      <Card className="grid gap-4 p-5">
        <p className="tabular font-display text-3xl leading-tight font-extrabold">
          {recap.isOpenEdition
            ? `${formatCount(sold)} ordered`
            : `${formatCount(sold)} of ${formatCount(quantity)} sold`}
        </p>
        {recap.earlySold > 0 ? (
          <p className="font-semibold">{formatCount(recap.earlySold)} of them to followers before the start</p>
        ) : null}
        {soldOutMs === null ? null : (
          <p className="font-semibold">
            {recap.isOpenEdition ? 'Cap reached' : 'Sold out'} in {durationText(soldOutMs)}
          </p>
        )}
        <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
          {figures.map(([label, value]) => (
            <div key={label} className="flex flex-col-reverse justify-end">
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="tabular text-xl font-bold">{value}</dd>
            </div>
          ))}
        </dl>
        {recap.waiting ? <Waiting text={demandText(recap.waiting, false)} /> : null}
        {checkouts.open > 0 ? <p className="text-sm text-muted">{recapTexts.stillOpen(checkouts.open)}</p> : null}
      </Card>
      <Values recap={recap} />
      <Money money={recap.money} when={payoutDayText(recap.money, payoutsState, timezone, now)} />
      {plan === 'free' && recap.proSavesCents > 0 ? (
        <p className="rounded-card bg-sunken p-4 text-sm">
          {recapTexts.proSaves(formatUsd(recap.proSavesCents))}{' '}
          <Link href="/subscribe" className="inline-flex min-h-11 items-center underline underline-offset-4">
            Upgrade to Pro
          </Link>
        </p>
      ) : null}
      <Sources sources={recap.sources} />
      <div className="flex flex-wrap gap-2">
        <Button asChild>
          <Link href="/">Open your dashboard</Link>
        </Button>
        <Button asChild variant="outline">
          <Link href="/orders">See your orders</Link>
        </Button>
      </div>
    </main>
  )
}

function Waiting({ text }: { text: string }) {
  return text ? <p className="tabular font-semibold">{text}</p> : null
}

/** Shows how many units of each choice were sold. A choice whose stock is known has a bar. */
function Values({ recap: { optionName, values } }: Pick<RecapProps, 'recap'>) {
  if (!optionName || !values?.length) return null
  const most = Math.max(1, ...values.map(({ sold }) => sold))
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-xl font-bold">Sold by {optionName.toLowerCase()}</h2>
      <dl className="grid gap-1.5 text-sm">
        {values.map((row) => (
          <FigureBar
            key={row.value ?? ''}
            label={row.value ?? recapTexts.removedChoices}
            value={row.sold}
            fraction={row.sold / (row.quantity || most)}
            note={row.quantity === null ? '' : `of ${formatCount(row.quantity)}`}
          />
        ))}
      </dl>
    </Card>
  )
}

function Money({ money, when }: { money: RecapMoney; when: string }) {
  const rows = [
    ['Paid by buyers', money.paidCents],
    ['Refunds', -money.refundedCents],
    [money.taxCents > 0 ? taxTexts.feeAndTax : 'Platform fee', -money.platformFeeCents],
    ['Card fees', -money.cardFeeCents],
    ['Disputes and corrections', money.otherCents],
  ] as const
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-xl font-bold">What you keep</h2>
      <dl className="tabular grid gap-2">
        {rows
          .filter(([label, cents]) => cents !== 0 || label === 'Paid by buyers')
          .map(([label, cents]) => (
            <div key={label} className="flex justify-between gap-4">
              <dt className="text-muted">{label}</dt>
              <dd>{formatSignedUsd(cents)}</dd>
            </div>
          ))}
        <div className="flex justify-between gap-4 border-t pt-2 text-lg font-bold">
          <dt>You keep</dt>
          <dd>{formatSignedUsd(money.netCents)}</dd>
        </div>
        {money.sentCents > 0 ? (
          <div className="flex justify-between gap-4 text-sm">
            <dt className="text-muted">Paid out so far</dt>
            <dd>{formatUsd(money.sentCents)}</dd>
          </div>
        ) : null}
      </dl>
      {money.openCardFees > 0 ? (
        <p className="text-sm text-muted">{recapTexts.openCardFees(money.openCardFees)}</p>
      ) : null}
      {when ? (
        <p className="text-sm">
          {when}{' '}
          <Link href="/payouts" className="inline-flex min-h-11 items-center underline underline-offset-4">
            See your payouts
          </Link>
        </p>
      ) : null}
    </Card>
  )
}

function Sources({ sources }: Pick<RecapView, 'sources'>) {
  if (sources?.length === 0) return null
  const most = Math.max(1, ...(sources ?? []).map(({ views }) => views))
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-xl font-bold">Where buyers came from</h2>
      {sources === null ? <p className="text-sm text-muted">{recapTexts.sourcesNeedPro}</p> : null}
      {sources ? (
        <dl className="grid gap-1.5 text-sm">
          {sources.map(({ source, views, paid }) => (
            <FigureBar
              key={source}
              label={sourceLabels[source]}
              value={views}
              fraction={views / most}
              note={`${formatCount(paid)} paid`}
            />
          ))}
        </dl>
      ) : null}
    </Card>
  )
}
