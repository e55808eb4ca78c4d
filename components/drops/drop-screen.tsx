'use client'

import { BuyerLinks } from '@/components/layout/buyer-links'
import { HomeLink } from '@/components/layout/home-link'
import { CalendarPlus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useLiveDrop } from './use-live-drop'
import { readCheckoutValue, useOpenCheckout } from './use-open-checkout'
import { dropTexts } from '@/lib/drops/messages'
import { isCancelled } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { waitingFor } from '@/lib/waitlist/rules'
import { BuyButton } from './buy-button'
import { Countdown } from './countdown'
import { DiscountCodeField } from './discount-code-field'
import { Fuse } from './fuse'
import { Gallery } from './gallery'
import { InAppHint } from './in-app-hint'
import { LocalTime } from './local-time'
import { OptionChips } from './option-chips'
import { OwnerActions } from './owner-actions'
import { OwnerAnalytics } from './owner-analytics'
import { ShareButton } from './share-button'
import { Stamp } from './stamp'
import { StartCountdown } from './start-countdown'
import { StockLine } from './stock-line'
import { type SellerRecord, TrustBlock } from './trust-block'
import { useChosenValue } from './use-chosen-value'
import { useDiscountCode } from './use-discount-code'
import { useIsOwner } from './use-is-owner'

// The code of the form is fetched only where the form is shown.
const RemindForm = dynamic(() => import('./remind-form').then((module) => module.RemindForm))

const typeText = { physical: 'Ships to you', digital: 'Digital file', service: 'Service' } as const

/** The public drop page. It is rendered the same for everybody; pushed changes and polling keep it current. */
export function DropScreen({ initial, seller }: { initial: DropView; seller: SellerRecord }) {
  const { drop, refresh } = useLiveDrop(initial)
  useViewBeacon(initial.identifier)
  const [quantity, setQuantity] = useState(1)
  const { offer, value, isMissing, choose, askForChoice } = useChosenValue(drop)
  const isOver = drop.state === 'ended'
  const hasOpenCheckout = useOpenCheckout(drop.id)
  // A buyer who holds the last unit in an open checkout must still be able to return to it.
  const isHeldValue = value === null || (hasOpenCheckout && readCheckoutValue(drop.id) === value)
  const isMine = hasOpenCheckout && isHeldValue && offer.state === 'live' && offer.available === 0
  const isOwner = useIsOwner(drop.userId)
  const discount = useDiscountCode()
  const takesCode = (drop.hasCodes || discount.code !== '') && !isOwner && drop.state === 'live'
  const buyButton = {
    ...{ drop: offer, value, isMine, quantity, onQuantity: setQuantity, onRefused: refresh, askForChoice },
    ...{ code: takesCode ? discount.sent : undefined, onCodeRefused: discount.refuse },
  }
  // The seller may replace the photos until the start. The gallery then begins anew with the first one.
  const photos = drop.images.map(({ src }) => src).join(' ')
  const own = { title: drop.title, path: `/drop/${drop.identifier}` }

  return (
    <main className="mx-auto max-w-6xl pb-40 md:px-8 md:pt-4 md:pb-20 low:md:pt-0">
      <Fuse
        startedAt={drop.startedAt}
        endTime={drop.endTime}
        serverTime={initial.serverTime}
        isOver={isOver}
        className="md:mb-6 md:rounded-full low:md:mb-4"
      />
      <div className="md:grid md:grid-cols-[minmax(0,11fr)_minmax(0,9fr)] md:gap-12">
        {/* The picture stays in view beside a long column, such as the one its owner sees with the figures. */}
        <div className="relative md:sticky md:top-6 md:self-start">
          <InAppHint identifier={drop.identifier} dropId={drop.id} hasOpenCheckout={hasOpenCheckout} />
          <Gallery key={photos} images={drop.images} title={drop.title} isDimmed={isOver} />
        </div>
        <div className="grid content-start gap-5 px-5 pt-5 md:px-0 md:pt-2 low:md:gap-3 low:md:pt-0">
          <Headline drop={drop} serverTime={initial.serverTime} />
          {drop.option && !isOver && drop.state !== 'paused' ? (
            <OptionChips option={drop.option} chosen={value} onChoose={choose} isMissing={isMissing} />
          ) : null}
          <StateNotice drop={offer} value={value} isMine={isMine} />
          {drop.state === 'live' ? <StockLine drop={drop} /> : null}
          <div className="max-md:hidden low:hidden">
            {isOwner ? <OwnerActions {...own} /> : <BuyButton {...buyButton} />}
          </div>
          {takesCode ? (
            <DiscountCodeField code={discount.code} problem={discount.problem} onType={discount.type} />
          ) : null}
          {isOwner ? <OwnerAnalytics dropId={drop.id} /> : null}
          <TrustBlock drop={drop} seller={seller} />
          <p dir="auto" className="leading-relaxed whitespace-pre-line">
            {drop.description}
          </p>
          <Facts drop={drop} />
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <ShareButton title={drop.title} path={`/drop/${drop.identifier}`} />
            <a
              href={`/drop/${drop.identifier}/report`}
              rel="nofollow"
              className="inline-flex min-h-11 items-center text-sm text-muted underline underline-offset-4"
            >
              Report this drop
            </a>
          </div>
          <BuyerLinks />
        </div>
      </div>
      <BottomBar canRemind={waitingFor(offer) !== null && !isMine && !isOwner}>
        {isOwner ? (
          <OwnerActions {...own} className="min-w-0 flex-1" />
        ) : (
          <BuyButton {...buyButton} isInBar className="min-w-0 flex-1" />
        )}
      </BottomBar>
    </main>
  )
}

/** Title, price and time: the countdown, or the stamp that takes its place. */
function Headline({ drop, serverTime }: { drop: DropView; serverTime: string }) {
  return (
    <div className="grid gap-3">
      <h1 dir="auto" className="text-[1.75rem] leading-tight font-bold md:text-4xl low:md:text-2xl">
        {drop.title}
      </h1>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <p className="tabular font-display text-2xl font-bold">
          {formatUsd(drop.priceCents)} <span className="font-sans text-sm font-medium text-muted">USD</span>
          {drop.productType === 'physical' && drop.state !== 'ended' ? (
            <span className="block font-sans text-sm font-medium text-muted">Shipping included</span>
          ) : null}
        </p>
        {drop.state === 'live' ? <Countdown endTime={drop.endTime} serverTime={serverTime} /> : null}
        {drop.state === 'scheduled' ? <StartCountdown startedAt={drop.startedAt} serverTime={serverTime} /> : null}
        <Stamp drop={drop} />
      </div>
    </div>
  )
}

/** The bar with the main action, on phones, even held sideways: there, a button in the page would be below the fold. */
function BottomBar({ canRemind, children }: { canRemind: boolean; children: ReactNode }) {
  return (
    <div
      data-bottom-bar
      className="pb-safe fixed inset-x-0 bottom-0 z-30 border-t bg-paper px-4 pt-3 low:py-2 md:tall:hidden"
    >
      <div className="flex gap-2">
        {children}
        {canRemind ? (
          <Button asChild size="bar" className="min-w-0">
            <a
              href="#remind-email"
              onClick={(event) => {
                event.preventDefault()
                document.getElementById('remind-email')?.focus()
              }}
            >
              Remind me
            </a>
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** Explains the states ended, sold out, paused and all in checkout, with the next step for each. */
function StateNotice({ drop, value, isMine }: { drop: DropView; value: string | null; isMine: boolean }) {
  const notice = noticeOf(drop, value, isMine)
  if (!notice) return null
  const waitsFor = isMine ? null : waitingFor(drop)
  return (
    <div className="grid gap-4 rounded-card bg-sunken p-5">
      <div role="status">
        <h2 className="text-xl font-bold">{notice.title}</h2>
        <p className="text-muted">{notice.text}</p>
        {drop.state === 'scheduled' ? (
          <noscript>
            <p className="mt-2 font-medium">{dropTexts.scheduledWithoutScript}</p>
          </noscript>
        ) : null}
        {drop.state === 'ended' && drop.returnsAt ? (
          <p className="mt-2 font-medium">
            Coming back <LocalTime iso={drop.returnsAt} />, at this same link.
          </p>
        ) : null}
      </div>
      {drop.state === 'scheduled' ? (
        <Button asChild variant="outline" className="justify-self-start">
          <a href={`/drop/${drop.identifier}/start.ics`}>
            <CalendarPlus aria-hidden />
            Add to calendar
          </a>
        </Button>
      ) : null}
      {notice.isFinal ? (
        <Button asChild variant="outline" className="justify-self-start">
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      ) : null}
      {waitsFor ? (
        <RemindForm identifier={drop.identifier} waitsFor={waitsFor} option={drop.option} chosen={value} />
      ) : null}
    </div>
  )
}

type Notice = { title: string; text: string; isFinal: boolean }

function noticeOf(drop: DropView, value: string | null, isMine: boolean): Notice | null {
  if (drop.state === 'ended' && isCancelled(drop)) {
    return { title: dropTexts.cancelledTitle, text: dropTexts.cancelledText, isFinal: true }
  }
  if (drop.state === 'ended') return { title: dropTexts.expiredTitle, text: dropTexts.expiredText, isFinal: true }
  if (drop.state === 'scheduled') {
    return { title: dropTexts.scheduledTitle, text: dropTexts.scheduledText, isFinal: false }
  }
  // The drop as a whole is not sold out: the units of another value are left, or in checkout.
  if (drop.state === 'soldOut' && value !== null && drop.sold < drop.quantity) {
    return { title: `${value} is sold out`, text: `Join the line for ${value}, or choose another.`, isFinal: false }
  }
  if (drop.state === 'soldOut') {
    return { title: 'Sold out', text: 'Every unit sold before time ran out.', isFinal: true }
  }
  if (drop.state === 'paused') {
    return { title: 'Paused', text: "This drop isn't available right now. Please try again later.", isFinal: true }
  }
  if (isMine) {
    return {
      title: 'Held for you',
      text: "We're holding one for you. Finish checking out before time's up.",
      isFinal: false,
    }
  }
  if (drop.available === 0) {
    return {
      title: value === null ? 'All in checkout' : `${value}: all in checkout`,
      text: 'One may free up. This page updates live.',
      isFinal: false,
    }
  }
  return null
}

function Facts({ drop }: { drop: DropView }) {
  const facts: [string, ReactNode][] = [
    ['Type', typeText[drop.productType]],
    ...(drop.state === 'scheduled'
      ? [['Starts', <LocalTime key="start" iso={drop.startedAt} />] satisfies [string, ReactNode]]
      : []),
    [drop.state === 'ended' ? 'Ended' : 'Ends', <LocalTime key="end" iso={drop.endTime} />],
  ]
  if (drop.maxPerBuyer !== null) facts.push(['Limit', `Up to ${drop.maxPerBuyer} per buyer`])
  return (
    <dl className="grid gap-0 border-t text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="grid grid-cols-[6rem_1fr] gap-4 border-b py-3">
          <dt className="text-muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Reports one view once the page has loaded. The server decides which views count (docs/product.md#views). */
function useViewBeacon(identifier: string): void {
  useEffect(() => {
    const tag = new URLSearchParams(window.location.search).get('utm_source') ?? ''
    const from = URL.canParse(document.referrer) ? new URL(document.referrer).hostname : ''
    navigator.sendBeacon(`/api/drop/${encodeURIComponent(identifier)}/view?${new URLSearchParams({ from, tag })}`)
  }, [identifier])
}
