'use client'

import { ChartNoAxesColumn, ChevronDown, type LucideIcon, Pencil, Share2, TicketPercent } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useId, useState } from 'react'
import { Fuse } from '@/components/drops/fuse'
import { LocalTime } from '@/components/drops/local-time'
import { LiveAnalytics } from '@/components/drops/live-analytics'
import { shareLink } from '@/components/drops/share-link'
import { TimeLeft } from '@/components/drops/time-left'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import { countedText } from '@/lib/drops/keys/key-messages'
import { demandText } from '@/lib/drops/analytics/demand-messages'
import { openTexts, orderedSoFarText } from '@/lib/drops/editions/open-messages'
import { dropPath } from '@/lib/drops/rules'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { isAhead } from '@/lib/drops/rules'
import { shareText } from '@/lib/drops/share-messages'
import { startNote } from '@/lib/drops/start/start-messages'
import { reviewTexts } from '@/lib/moderation/messages'
import { DiscountCodes } from './discount-codes'
import { DropActions } from './drop-actions'
import { type QrPath, ShareKit } from './share-kit'
import { Thumbnail } from './thumbnail'

const stateBadge = {
  upcoming: ['secondary', 'Scheduled'],
  live: ['good', 'Active'],
  soldOut: ['default', 'Sold out'],
  paused: ['warn', 'Paused'],
  ended: ['destructive', 'Expired'],
} as const

type ActiveDropCardProps = {
  drop: SellerDropView
  /**
   * The QR code of the drop's link. Only drops that were scheduled, live or sold out when the page was rendered have
   * one.
   */
  qr: QrPath | undefined
  hasAnalytics: boolean
  timezone: string
  onEdit: () => void
}

/**
 * Shows an active drop in a compact row with its time, stock and revenue. One tap shares it or edits it. Everything
 * else is behind "More".
 */
export function ActiveDropCard({ drop, qr, hasAnalytics, timezone, onEdit }: ActiveDropCardProps) {
  const [tone, stateLabel] = stateBadge[drop.state]
  const label = drop.state === 'soldOut' && drop.isOpenEdition ? openTexts.fullBadge : stateLabel
  const demand = demandText(drop.waiting, isAhead(drop))
  const isInReview = drop.moderation === 'review'
  const isScheduledReview = isInReview && isAhead(drop)
  const note = startNote(drop)
  const isShared = ['upcoming', 'live', 'soldOut'].includes(drop.state)
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
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
          <Thumbnail drop={drop} className="w-14" />
          <div className="grid min-w-0 flex-1 gap-0.5">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <Badge variant={isInReview ? 'warn' : tone}>{isInReview ? reviewTexts.badge : label}</Badge>
              {drop.state === 'live' ? (
                <TimeLeft endTime={drop.endTime} serverTime={drop.serverTime} className="text-sm" />
              ) : null}
              {drop.state === 'upcoming' || isScheduledReview ? (
                <span className="text-sm font-semibold">
                  Starts <LocalTime iso={drop.startedAt} />
                </span>
              ) : null}
            </div>
            <h3 className="text-lg leading-snug font-bold">
              <Link href={dropPath(drop)} className="-my-1.5 inline-flex min-h-11 items-center py-1.5 hover:underline">
                <span className="line-clamp-2">{drop.title}</span>
              </Link>
            </h3>
            <Figures drop={drop} />
            <ValuesLine drop={drop} />
            <EarlyLine drop={drop} />
            {demand ? <p className="tabular text-sm text-muted">{demand}</p> : null}
            {note ? <p className="text-sm text-muted">{note}</p> : null}
          </div>
        </div>
        <RowButtons
          drop={drop}
          timezone={timezone}
          isShared={isShared}
          isOpen={isOpen}
          onEdit={onEdit}
          moreId={`${id}-more`}
          onMore={() => setIsOpen(!isOpen)}
        />
        <div id={`${id}-more`} hidden={!isOpen} className="grid gap-3 [&[hidden]]:hidden">
          {isOpen ? (
            <Details
              drop={drop}
              hasAnalytics={hasAnalytics}
              timezone={timezone}
              qr={isShared ? qr : undefined}
              isShared={isShared}
            />
          ) : null}
        </div>
      </div>
    </Card>
  )
}

type RowButtonsProps = Pick<ActiveDropCardProps, 'drop' | 'timezone' | 'onEdit'> & {
  isShared: boolean
  isOpen: boolean
  moreId: string
  onMore: () => void
}

function RowButtons({ drop, timezone, isShared, isOpen, moreId, onEdit, onMore }: RowButtonsProps) {
  const { title } = drop
  return (
    <div className="-mx-2 -mb-2 flex flex-wrap items-center gap-1">
      {isShared ? (
        <Button
          size="sm"
          aria-label={`Share ${title}`}
          onClick={() => void shareLink({ title, path: dropPath(drop), text: shareText(drop, timezone) })}
        >
          <Share2 aria-hidden />
          Share
        </Button>
      ) : null}
      <Button variant="ghost" size="sm" aria-label={`Edit ${title}`} onClick={onEdit}>
        <Pencil aria-hidden />
        Edit
      </Button>
      <Button
        variant="ghost"
        size="sm"
        className="ms-auto"
        aria-expanded={isOpen}
        aria-controls={moreId}
        aria-label={`${isOpen ? 'Less' : 'More'} about ${title}`}
        onClick={onMore}
      >
        {isOpen ? 'Less' : 'More'}
        <ChevronDown aria-hidden className={isOpen ? 'rotate-180' : undefined} />
      </Button>
    </div>
  )
}

type DetailsProps = Omit<ActiveDropCardProps, 'onEdit'> & { isShared: boolean }

/** Shows what a seller needs less often: other ways to share, statistics, discount codes, and ending or deleting. */
function Details({ drop, qr, hasAnalytics, timezone, isShared }: DetailsProps) {
  return (
    <>
      {isShared ? <ShareKit drop={drop} qr={qr} timezone={timezone} /> : null}
      {hasAnalytics ? (
        <Section icon={ChartNoAxesColumn} label="Live Analytics">
          <LiveAnalytics dropId={drop.id} className="border-t p-4" />
        </Section>
      ) : null}
      <Section icon={TicketPercent} label="Discount codes">
        <DiscountCodes drop={drop} timezone={timezone} />
      </Section>
      <DropActions drop={drop} />
    </>
  )
}

/**
 * Shows the figures of a drop. The units are those of this run. The revenue and the views are those of all runs
 * (docs/product.md#dashboard).
 */
function Figures({ drop }: { drop: SellerDropView }) {
  const { sold, quantity, inCheckout, run, revenueCents, views } = drop
  const inHold = inCheckout > 0 ? `, ${formatCount(inCheckout)} in checkout` : ''
  const inRuns = run > 1 ? ` in ${run} runs` : ''
  const figures = [
    // The price can still change before the start, and there is no revenue yet in which the seller could see it.
    ...(isAhead(drop) ? [['Price', formatUsd(drop.priceCents)] as const] : []),
    drop.isOpenEdition
      ? (['Ordered', `${orderedSoFarText(drop)}, cap ${formatCount(quantity)}`] as const)
      : (['Sold', `${formatCount(sold)} of ${formatCount(quantity)} sold${inHold}`] as const),
    ...(drop.keys ? [['Keys', keysText(drop.keys)] as const] : []),
    ['Revenue', `${formatUsd(revenueCents)}${inRuns}`],
    ['Views', `${formatCount(views)} ${views === 1 ? 'view' : 'views'}${inRuns}`],
  ] as const
  return (
    <dl className="tabular flex flex-wrap gap-x-3 text-sm text-muted">
      {figures.map(([label, value]) => (
        <div key={label} className={label === 'Sold' || label === 'Ordered' ? 'font-semibold text-ink' : undefined}>
          <dt className="sr-only">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Says how many units of each choice are sold: "S 3 of 5 · M 10 of 10". Those of an open edition have no stock. */
function ValuesLine({ drop: { values, isOpenEdition } }: { drop: SellerDropView }) {
  if (values.length === 0) return null
  const sold = values.map((row) => {
    const count = `${row.value} ${formatCount(row.sold)}`
    return isOpenEdition ? count : `${count} of ${formatCount(row.quantity)}`
  })
  return (
    <p className="tabular text-sm text-muted">
      {isOpenEdition ? 'Ordered' : 'Sold'}: {sold.join(' · ')}
    </p>
  )
}

/**
 * Says from when followers may buy a scheduled drop, and how many of the units for followers are taken
 * (docs/product.md#early-access).
 */
function EarlyLine({ drop: { early, earlyStartsAt } }: { drop: SellerDropView }) {
  if (!early || !earlyStartsAt) return null
  return (
    <p className="tabular text-sm text-muted">
      Followers can buy starting <LocalTime iso={earlyStartsAt} />: {formatCount(early.taken)} of{' '}
      {formatCount(early.units)} taken
    </p>
  )
}

/** Counts a drop's keys: "40 keys left, 1 refunded after the buyer saw it". */
function keysText({ left, spent }: NonNullable<SellerDropView['keys']>): string {
  return `${countedText(left)} left${spent > 0 ? `, ${formatCount(spent)} refunded after the buyer saw ${spent === 1 ? 'it' : 'them'}` : ''}`
}

/**
 * Shows a collapsed section. Its content is rendered only while the section is open, so that its data is not fetched
 * earlier.
 */
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
