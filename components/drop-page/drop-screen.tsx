'use client'

import { BuyerLinks } from '@/components/layout/buyer-links'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { dropTexts } from '@/lib/drops/messages'
import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { isClosedEdition, waitingFor } from '@/lib/waitlist/rules'
import { AnnounceChange } from './announce-change'
import { BuyButton } from './buy-button'
import { CanceledNotice } from './canceled-notice'
import { Countdown } from './countdown'
import { CountryChoice, ShippingNote } from './country-choice'
import { DiscountCodeField } from './discount-code-field'
import { DropFacts } from './drop-facts'
import { canStillFollow, EarlyNotice } from './early-notice'
import { Fuse } from '@/components/drops/fuse'
import { Gallery } from './gallery'
import { HistoryLine } from './history-line'
import { InAppHint } from './in-app-hint'
import { LateWallets } from './late-wallets'
import { LocalTime } from '@/components/drops/local-time'
import { OptionChips } from './option-chips'
import { OwnerActions } from './owner-actions'
import { OwnerAnalytics } from './owner-analytics'
import { OwnerCelebration } from '@/components/drops/owner-celebration'
import { ShareOrReport } from './share-or-report'
import { Stamp } from './stamp'
import { StartCountdown } from './start-countdown'
import { ownPageLabel, StateNotice } from './state-notice'
import { stateNews } from './state-news'
import { StockLine } from './stock-line'
import { type SellerRecord, TrustBlock } from './trust-block'
import type { EarlyAccess } from './use-early-access'
import type { OwnPage } from './use-own-units'
import { usePurchase } from './use-purchase'
import { WalletSlot } from './wallet-slot'

// The script of the form is loaded only where the form is shown.
const FollowDisclosure = dynamic(() =>
  import('@/components/followers/follow-disclosure').then((module) => module.FollowDisclosure),
)

type DropScreenProps = {
  initial: DropView
  seller: SellerRecord
  /** Stripe's public key, which is null in the sandbox. Without this object the page offers no wallets. */
  wallets: { publishableKey: string | null } | null
  /** The follower's link in the URL of the page; null for everyone else. */
  early: EarlyAccess | null
  /** Who sells, as stated by the seller; null when nothing was stated. */
  soldBy: ReactNode
}

/**
 * Shows the public drop page. Unless its URL has a follower's link, the server renders the page the same for everyone.
 * Pushed changes and polling keep the page current.
 */
export function DropScreen({ initial, seller, wallets, early, soldBy }: DropScreenProps) {
  const {
    shown,
    drop,
    offer,
    access,
    problem,
    choice,
    question,
    ownUnits,
    isOwner,
    discount,
    takesCode,
    buyButton,
    setIsBlocked,
  } = usePurchase(initial, early)
  const { hasOpenCheckout, ownPage } = ownUnits
  const isOver = drop.state === 'ended'
  const own = { id: drop.id, title: drop.title, path: `/drop/${drop.identifier}` }

  return (
    <main className="mx-auto max-w-6xl pb-48 md:px-8 md:pt-4 md:pb-20 low:md:pt-0">
      <Fuse
        startedAt={drop.startedAt}
        endTime={drop.endTime}
        serverTime={initial.serverTime}
        isOver={isOver}
        className="md:mb-6 md:rounded-full low:md:mb-4"
      />
      <div className="md:grid md:grid-cols-[minmax(0,11fr)_minmax(0,9fr)] md:gap-12">
        {/* The picture stays in view beside a long column, such as the owner's column with Live Analytics. */}
        <div className="relative md:sticky md:top-6 md:self-start">
          <InAppHint identifier={drop.identifier} dropId={drop.id} hasOpenCheckout={hasOpenCheckout} />
          <Gallery key={photosOf(drop)} images={drop.images} title={drop.title} isDimmed={isOver} />
        </div>
        <div className="grid content-start gap-5 px-5 pt-5 md:px-0 md:pt-2 low:md:gap-3 low:md:pt-0">
          <Headline drop={shown} serverTime={initial.serverTime} isOwner={isOwner} />
          {drop.option && !isOver && drop.state !== 'paused' && !isClosedEdition(drop) ? (
            <OptionChips drop={{ ...drop, option: drop.option }} {...choice} />
          ) : null}
          {access === 'none' ? null : (
            <EarlyNotice drop={shown} access={access} problem={problem} hasOpenCheckout={hasOpenCheckout} />
          )}
          {question && !isOwner ? <CountryChoice {...question} /> : null}
          <CanceledNotice canBuy={offer.state === 'live' && offer.available > 0} />
          <StateNotice drop={offer} value={choice.chosen} {...ownUnits} />
          {isOwner ? null : <FollowOffer drop={drop} isFollower={access !== 'none'} />}
          {shown.state === 'live' ? <StockLine drop={drop} /> : null}
          <ActionRow isHidden={ownPage !== null && !isOwner}>
            {isOwner ? <OwnerActions {...own} /> : <BuyButton {...buyButton} />}
            <WalletSlot />
          </ActionRow>
          {takesCode ? (
            <DiscountCodeField code={discount.code} problem={discount.problem} onType={discount.type} />
          ) : null}
          {isOwner ? <OwnerAnalytics dropId={drop.id} /> : null}
          <Details drop={drop} seller={seller} soldBy={soldBy} />
        </div>
      </div>
      {wallets && !isOwner ? (
        <LateWallets {...wallets} {...buyButton} isLive={drop.state === 'live'} onBusy={setIsBlocked} />
      ) : null}
      <BottomBar canRemind={waitingFor(offer) !== null && !ownUnits.isMine && !isOwner} ownPage={ownPage}>
        <WalletSlot isInBar />
        {isOwner ? (
          <OwnerActions {...own} className="min-w-0 flex-1" />
        ) : (
          <BuyButton {...buyButton} isInBar className="min-w-0 flex-1" />
        )}
      </BottomBar>
    </main>
  )
}

/**
 * The main action on wide screens. It is hidden from a buyer whose unit is reserved: the notice above it has the button
 * for that unit, and this one would say that nobody can buy.
 */
function ActionRow({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  const hidden = isHidden ? 'hidden' : 'max-md:tall:hidden md:low:hidden'
  return <div className={cn('relative flex flex-wrap gap-2 *:first:flex-1 *:first:basis-60', hidden)}>{children}</div>
}

type DetailsProps = Pick<DropScreenProps, 'seller' | 'soldBy'> & { drop: DropView }

/** Shows what buyers may want to know before they buy: who sells, the description, the facts, and links. */
function Details({ drop, seller, soldBy }: DetailsProps) {
  return (
    <>
      <TrustBlock drop={drop} seller={seller} soldBy={soldBy} />
      <p dir="auto" className="leading-relaxed whitespace-pre-line">
        {drop.description}
      </p>
      <DropFacts drop={drop} />
      <ShareOrReport title={drop.title} path={`/drop/${drop.identifier}`} />
      <BuyerLinks />
    </>
  )
}

/**
 * Offers to follow the seller when the drop has ended or is sold out, or when a new follower can still get early
 * access.
 */
function FollowOffer({ drop, isFollower }: { drop: DropView; isFollower: boolean }) {
  const { username } = drop.user
  const isOffered = ['ended', 'soldOut'].includes(drop.state) || (!isFollower && canStillFollow(drop))
  return isOffered && username ? <FollowDisclosure username={username} drop={drop.identifier} /> : null
}

/** Identifies the photos, so that the gallery returns to the first one when the seller has changed them. */
const photosOf = ({ images }: DropView) => images.map(({ src }) => src).join(' ')

/**
 * Shows the title, the price, the countdown or the stamp that replaces it, and the line about the drop's history. The
 * drop's seller also sees its first sale and its sell-out celebrated above the title.
 */
function Headline({ drop, serverTime, isOwner }: { drop: DropView; serverTime: string; isOwner: boolean }) {
  return (
    <div>
      <AnnounceChange text={stateNews(drop)} />
      {isOwner ? <OwnerCelebration drop={drop} /> : null}
      <div className="grid gap-3">
        <h1 dir="auto" className="text-[1.75rem] leading-tight font-bold md:text-4xl low:md:text-2xl">
          {drop.title}
        </h1>
        <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <p className="tabular font-display text-2xl font-bold">
            {formatUsd(drop.priceCents)} <span className="font-sans text-sm font-medium text-muted">USD</span>
            <ShippingNote drop={drop} />
          </p>
          {drop.state === 'live' ? <Countdown endTime={drop.endTime} serverTime={serverTime} /> : null}
          {drop.state === 'upcoming' ? <StartCountdown startedAt={drop.startedAt} serverTime={serverTime} /> : null}
          <Stamp drop={drop} />
        </div>
        {drop.state === 'live' ? (
          <noscript>
            <p className="text-sm font-medium">
              {dropTexts.clockWithoutScript} <LocalTime iso={drop.endTime} />.
            </p>
          </noscript>
        ) : null}
        <HistoryLine drop={drop} />
      </div>
    </div>
  )
}

type BottomBarProps = { canRemind: boolean; ownPage: OwnPage | null; children: ReactNode }

/**
 * Shows the main action in a bar at the bottom of the screen on phones. The bar is also shown on wide but low screens,
 * such as a phone in landscape, where a button in the page would be below the fold. On a screen that is narrow and low,
 * as at a zoom of 400 %, the wallets are in the page only, so that the bar stays low.
 */
function BottomBar({ canRemind, ownPage, children }: BottomBarProps) {
  return (
    <div
      data-bottom-bar
      className="pb-safe fixed inset-x-0 bottom-0 z-30 border-t bg-paper px-4 pt-3 low:py-2 md:tall:hidden"
    >
      <div className="flex gap-2">
        {ownPage ? (
          <Button asChild variant="buy" size="bar" className="flex-1">
            <a href={ownPage.href}>{ownPageLabel(ownPage)}</a>
          </Button>
        ) : (
          children
        )}
        {canRemind && !ownPage ? (
          <Button asChild size="bar" className="min-w-0 low:flex-1">
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
