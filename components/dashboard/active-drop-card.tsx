'use client'

import { ChartNoAxesColumn } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { Fuse } from '@/components/drops/fuse'
import { LocalTime } from '@/components/drops/local-time'
import { LiveAnalytics } from '@/components/drops/live-analytics'
import { stockText } from '@/components/drops/stock-line'
import { TimeLeft } from '@/components/drops/time-left'
import { CopyButton, ShareButton } from '@/components/drops/share-button'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import type { SellerDropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { isAhead } from '@/lib/drops/rules'
import { startTexts } from '@/lib/drops/start-messages'
import { reviewTexts } from '@/lib/moderation/messages'
import { DropActions } from './drop-actions'
import { Thumbnail } from './thumbnail'

const stateBadge = {
  scheduled: ['secondary', 'Scheduled'],
  live: ['good', 'Active'],
  soldOut: ['default', 'Sold out'],
  paused: ['warn', 'Paused'],
  ended: ['destructive', 'Expired'],
} as const

type ActiveDropCardProps = { drop: SellerDropView; hasAnalytics: boolean; onEdit: () => void }

/** A running drop, with its time, stock and money at a glance. */
export function ActiveDropCard({ drop, hasAnalytics, onEdit }: ActiveDropCardProps) {
  const path = `/drop/${drop.identifier}`
  const [tone, label] = stateBadge[drop.state]
  const isInReview = drop.moderation === 'review'
  const isScheduledReview = isInReview && isAhead(drop)
  return (
    <Card className="overflow-hidden">
      <Fuse
        startedAt={drop.startedAt}
        endTime={drop.endTime}
        serverTime={drop.serverTime}
        isOver={drop.state === 'ended'}
      />
      <div className="grid gap-4 p-4">
        <div className="flex gap-4">
          <Thumbnail drop={drop} />
          <div className="grid min-w-0 flex-1 content-start gap-1.5">
            <div className="flex flex-wrap items-center gap-2">
              <Badge variant={isInReview ? 'warn' : tone}>{isInReview ? reviewTexts.badge : label}</Badge>
              {drop.state === 'live' ? (
                <TimeLeft endTime={drop.endTime} serverTime={drop.serverTime} className="text-sm" />
              ) : null}
              {drop.state === 'scheduled' || isScheduledReview ? (
                <span className="text-sm font-semibold">
                  Starts <LocalTime iso={drop.startedAt} />
                </span>
              ) : null}
            </div>
            <h3 className="text-lg leading-snug font-bold">
              <Link href={path} className="hover:underline">
                {drop.title}
              </Link>
            </h3>
            <p className="tabular text-sm text-muted">
              {formatUsd(drop.priceCents)} · {stockText(drop)}
            </p>
            {isScheduledReview ? <p className="text-sm text-muted">{startTexts.review}</p> : null}
          </div>
        </div>
        <Figures drop={drop} />
        {hasAnalytics ? <Analytics drop={drop} /> : null}
        <div className="grid grid-cols-2 gap-2">
          <CopyButton path={path} />
          <ShareButton title={drop.title} path={path} />
        </div>
        <DropActions drop={drop} onEdit={onEdit} />
      </div>
    </Card>
  )
}

function Figures({ drop }: { drop: SellerDropView }) {
  const figures = [
    ['Sold', String(drop.purchases)],
    ['Revenue', formatUsd(drop.revenueCents)],
    ['Views', drop.views.toLocaleString('en-US')],
  ] as const
  return (
    <div className="grid gap-1">
      <dl className="grid grid-cols-[1fr_auto_1fr] gap-px overflow-hidden rounded-control border bg-line">
        {figures.map(([label, value]) => (
          <div key={label} className="grid min-w-0 gap-0.5 bg-surface px-3 py-2.5">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="tabular font-display text-xl leading-tight font-bold whitespace-nowrap">{value}</dd>
          </div>
        ))}
      </dl>
      {/* The stock line above counts this run only, but these figures count all runs. */}
      {drop.run > 1 ? <p className="text-xs text-muted">All {drop.run} runs together.</p> : null}
    </div>
  )
}

/** The section fetches its figures only while it is open. */
function Analytics({ drop }: { drop: SellerDropView }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Disclosure
      onToggle={setIsOpen}
      label={
        <>
          <ChartNoAxesColumn aria-hidden className="size-5" />
          Live Analytics
        </>
      }
    >
      {isOpen ? <LiveAnalytics dropId={drop.id} className="border-t p-4" /> : null}
    </Disclosure>
  )
}
