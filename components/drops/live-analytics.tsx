'use client'

import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { cn } from '@/components/ui/class-names'
import { ApiError, callApi } from '@/lib/client/call-api'
import { sourceLabels } from '@/lib/drops/messages'
import type { AnalyticsView } from '@/lib/drops/analytics/analytics-view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import { freeUnits } from '@/lib/stock/rules'
import { FigureBar } from './figure-bar'
import { HoursChart } from './hours-chart'

/** The figures are polled every 10 s (docs/product.md#live-analytics). */
const POLL_MS = 10 * SECOND_MS

type LiveAnalyticsProps = { dropId: number; heading?: string; className?: string }

/**
 * Shows figures and charts of the seller's own drop, refreshed every ten seconds. If the server refuses the request,
 * nothing is shown.
 */
export function LiveAnalytics({ dropId, heading, className }: LiveAnalyticsProps) {
  const headingId = useId()
  const { data, error } = useQuery({
    queryKey: ['api', 'drops', dropId, 'analytics'],
    queryFn: () => callApi<AnalyticsView>('GET', `/api/drops/${dropId}/analytics`),
    refetchInterval: (query) => (isRefused(query.state.error) ? false : POLL_MS),
    staleTime: POLL_MS,
  })
  if (isRefused(error)) return null
  return (
    <section
      className={cn('grid gap-5', className)}
      {...(heading ? { 'aria-labelledby': headingId } : { 'aria-label': 'Live Analytics' })}
    >
      {heading ? (
        <h2 id={headingId} className="text-xl font-bold">
          {heading}
        </h2>
      ) : null}
      <Figures data={data} />
      {data ? (
        <HoursChart hours={data.hours} serverTime={data.serverTime} />
      ) : (
        <div className="h-40 rounded-control bg-sunken" />
      )}
      {data ? <Funnel data={data} /> : null}
      {data && data.values.length > 0 ? <Values data={data} /> : null}
      {data && data.sources.length > 0 ? <Sources data={data} /> : null}
      {error && !data ? (
        <p className="text-sm text-muted">We can&apos;t load your stats right now. We&apos;ll keep trying.</p>
      ) : null}
    </section>
  )
}

/**
 * Returns true if the user is signed out (401), has no plan with Live Analytics (403) or is not the drop's seller
 * (404). Polling again would get the same response.
 */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && [401, 403, 404].includes(error.status)
}

function Figures({ data }: { data: AnalyticsView | undefined }) {
  const figures = [
    ['Views', data && formatCount(data.views)],
    ['Conversion', data?.conversion],
    ['Revenue', data && formatUsd(data.revenueCents)],
    ['Purchases', data && formatCount(data.purchases)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-control border bg-line">
      {figures.map(([label, value]) => (
        <div key={label} className="@container grid min-w-0 gap-0.5 bg-surface px-3 py-2.5">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="tabular font-display text-[length:min(1.25rem,14cqi)] leading-tight font-bold whitespace-nowrap">
            {value ?? '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const steps = [
  ['views', 'Views'],
  ['taps', 'Buy taps'],
  ['holds', 'Checkouts'],
  ['paid', 'Paid'],
] as const

/** Shows how many views, taps on Buy, checkouts and paid orders this run has had. */
function Funnel({ data: { run, checkouts } }: { data: AnalyticsView }) {
  const most = Math.max(1, ...steps.map(([key]) => run[key]))
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-semibold">From view to sale</h3>
      <dl className="grid gap-1.5 text-sm">
        {steps.map(([key, label]) => (
          <FigureBar key={key} label={label} value={run[key]} fraction={run[key] / most} />
        ))}
      </dl>
      <p className="text-xs text-muted">
        {formatCount(checkouts.open)} in checkout now · {formatCount(checkouts.expired)} ended unpaid ·{' '}
        {formatCount(checkouts.refused)} turned away or asked to wait
      </p>
    </div>
  )
}

/**
 * Shows how many units of each value of the drop's option were sold, how many are left and how many are in checkout.
 * The values of an open edition have no stock, so they are compared with the one that sold most.
 */
function Values({ data: { values, isOpenEdition } }: { data: AnalyticsView }) {
  const most = Math.max(1, ...values.map(({ quantity, sold }) => (isOpenEdition ? sold : quantity)))
  const leftText = (row: AnalyticsView['values'][number]) =>
    isOpenEdition ? '' : `${formatCount(freeUnits(row))} of ${formatCount(row.quantity)} left · `
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-semibold">Units sold per choice</h3>
      <dl className="grid gap-1.5 text-sm">
        {values.map((row) => (
          <FigureBar
            key={row.value}
            label={row.value}
            value={row.sold}
            fraction={row.sold / most}
            note={`${leftText(row)}${formatCount(row.held)} in checkout`}
          />
        ))}
      </dl>
    </div>
  )
}

/** Shows where the views, taps on Buy, checkouts and paid orders of this run came from. */
function Sources({ data: { sources } }: { data: AnalyticsView }) {
  const most = Math.max(1, ...sources.map(({ views }) => views))
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-semibold">Where visitors came from</h3>
      <dl className="grid gap-1.5 text-sm">
        {sources.map(({ source, views, taps, holds, paid }) => (
          <FigureBar
            key={source}
            label={sourceLabels[source]}
            value={views}
            fraction={views / most}
            note={`${counted(taps, 'tap')} · ${counted(holds, 'checkout')} · ${formatCount(paid)} paid`}
          />
        ))}
      </dl>
    </div>
  )
}

const counted = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
