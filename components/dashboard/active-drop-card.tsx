'use client'

import { ChartNoAxesColumn, type LucideIcon, TicketPercent } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Fuse } from '@/components/drops/fuse'
import { LocalTime } from '@/components/drops/local-time'
import { LiveAnalytics } from '@/components/drops/live-analytics'
import { TimeLeft } from '@/components/drops/time-left'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import { dropPath } from '@/lib/drops/rules'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { isAhead } from '@/lib/drops/rules'
import { startTexts } from '@/lib/drops/start-messages'
import { reviewTexts } from '@/lib/moderation/messages'
import { DiscountCodes } from './discount-codes'
import { DropActions } from './drop-actions'
import { type QrPath, ShareKit } from './share-kit'
import { Thumbnail } from './thumbnail'

const stateBadge = {
  scheduled: ['secondary', 'Scheduled'],
  live: ['good', 'Active'],
  soldOut: ['default', 'Sold out'],
  paused: ['warn', 'Paused'],
  ended: ['destructive', 'Expired'],
} as const

type ActiveDropCardProps = {
  drop: SellerDropView
  /** The code of its link; it is missing for a drop that was created after the page was rendered. */
  qr: QrPath | undefined
  hasAnalytics: boolean
  onEdit: () => void
}

/** A running drop in a compact card: its time, stock and money at a glance, and what brings people to it. */
export function ActiveDropCard({ drop, qr, hasAnalytics, onEdit }: ActiveDropCardProps) {
  const [tone, label] = stateBadge[drop.state]
  const isInReview = drop.moderation === 'review'
  const isScheduledReview = isInReview && isAhead(drop)
  return (
    <Card id={`drop-${drop.id}`} className="scroll-mt-4 overflow-hidden">
      <Fuse
        startedAt={drop.startedAt}
        endTime={drop.endTime}
        serverTime={drop.serverTime}
        isOver={drop.state === 'ended'}
      />
      <div className="grid gap-3 p-4 max-[16rem]:p-2">
        <div className="flex items-center gap-3">
          <Thumbnail drop={drop} className="w-16" />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
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
              <Link href={dropPath(drop)} className="-my-1.5 inline-flex min-h-11 items-center hover:underline">
                <span className="line-clamp-2">{drop.title}</span>
              </Link>
            </h3>
            <Figures drop={drop} />
            {isScheduledReview ? <p className="text-sm text-muted">{startTexts.review}</p> : null}
          </div>
        </div>
        {['scheduled', 'live', 'soldOut'].includes(drop.state) ? <ShareKit drop={drop} qr={qr} /> : null}
        {hasAnalytics ? (
          <Section icon={ChartNoAxesColumn} label="Live Analytics">
            <LiveAnalytics dropId={drop.id} className="border-t p-4" />
          </Section>
        ) : null}
        <Section icon={TicketPercent} label="Discount codes">
          <DiscountCodes drop={drop} />
        </Section>
        <DropActions drop={drop} onEdit={onEdit} />
      </div>
    </Card>
  )
}

/** The units of this run; with them the revenue and views, which count all runs (docs/product.md#dashboard). */
function Figures({ drop }: { drop: SellerDropView }) {
  const { sold, quantity, inCheckout, run, revenueCents, views } = drop
  const inHold = inCheckout > 0 ? `, ${formatCount(inCheckout)} in checkout` : ''
  const figures = [
    // Until the start the price can change, and nothing is sold that would show it.
    ...(isAhead(drop) ? [['Price', formatUsd(drop.priceCents)] as const] : []),
    ['Sold', `${formatCount(sold)} of ${formatCount(quantity)} sold${inHold}`],
    ['Revenue', `${formatUsd(revenueCents)}${run > 1 ? ` in ${run} runs` : ''}`],
    ['Views', `${formatCount(views)} ${views === 1 ? 'view' : 'views'}`],
  ] as const
  return (
    <dl className="tabular flex flex-wrap gap-x-3 text-sm text-muted">
      {figures.map(([label, value]) => (
        <div key={label} className={label === 'Sold' ? 'font-semibold text-ink' : undefined}>
          <dt className="sr-only">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A folded section, whose content is rendered, and so fetched, only while it is open. */
function Section({ icon: Icon, label, children }: { icon: LucideIcon; label: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Disclosure
      onToggle={setIsOpen}
      label={
        <>
          <Icon aria-hidden className="size-5" />
          {label}
        </>
      }
    >
      {isOpen ? children : null}
    </Disclosure>
  )
}
