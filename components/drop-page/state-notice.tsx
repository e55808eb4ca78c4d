'use client'

import { CalendarPlus } from 'lucide-react'
import dynamic from 'next/dynamic'
import type { ReactNode } from 'react'
import { HomeLink } from '@/components/layout/home-link'
import { Button } from '@/components/ui/button'
import { useServerClock } from '@/lib/client/use-server-clock'
import { scheduledText } from '@/lib/drops/start/early-messages'
import { dropTexts } from '@/lib/drops/messages'
import { openNotice } from '@/lib/drops/editions/open-messages'
import { isCanceled } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { SECOND_MS } from '@/lib/kernel/time'
import { timeToBuyText, waitlistTexts } from '@/lib/waitlist/messages'
import { waitingFor } from '@/lib/waitlist/rules'
import { FollowersFirst } from './early-notice'
import { LocalTime } from '@/components/drops/local-time'
import type { OwnPage } from './use-own-units'

// The script of the form is loaded only where the form is shown.
const RemindForm = dynamic(() => import('./remind-form').then((module) => module.RemindForm))

type StateNoticeProps = {
  drop: DropView
  value: string | null
  isMine: boolean
  /** How many units of this value the buyer's open checkout holds. */
  heldForBuyer: number
  /** The page on which this visitor can pay for a unit that is reserved for them. */
  ownPage: OwnPage | null
  /** When the units that are held or reserved for this buyer are released; null when it is not known. */
  heldUntil: Date | null
}

/**
 * Explains why no unit is free right now, for example because the drop has ended or this buyer holds the last unit, and
 * shows the next step.
 */
export function StateNotice({ drop, value, isMine, heldForBuyer, ownPage, heldUntil }: StateNoticeProps) {
  const timeLeft = heldUntil ? (
    <TimeToBuy until={heldUntil} serverTime={drop.serverTime} isClaim={ownPage?.isClaim ?? false} />
  ) : null
  if (ownPage) return <StillYours page={ownPage} timeLeft={timeLeft} />
  const notice = noticeOf(drop, value, isMine, heldForBuyer)
  if (!notice) return null
  const waitsFor = isMine ? null : waitingFor(drop)
  return (
    <div className="grid gap-4 rounded-card bg-sunken p-5">
      <div>
        <h2 className="text-xl font-bold">{notice.title}</h2>
        <p className="text-muted">{notice.text}</p>
        {drop.state === 'upcoming' ? <FollowersFirst drop={drop} /> : null}
        {drop.state === 'upcoming' ? (
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
      {notice.isHeld ? timeLeft : null}
      {drop.state === 'upcoming' ? (
        <Button asChild variant="outline" className="justify-self-start whitespace-normal">
          <a href={`/drop/${drop.identifier}/start.ics`}>
            <CalendarPlus aria-hidden />
            {drop.earlyStartsAt ? 'Add public start to calendar' : 'Add to calendar'}
          </a>
        </Button>
      ) : null}
      {notice.isFinal ? (
        <Button asChild variant="outline" className="justify-self-start">
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      ) : null}
      {waitsFor ? (
        <RemindForm
          identifier={drop.identifier}
          waitsFor={waitsFor}
          mayReturn={!drop.isOpenEdition}
          option={drop.option}
          chosen={value}
        />
      ) : null}
    </div>
  )
}

/** The label of the link to the page on which the buyer can pay for a reserved unit. */
export const ownPageLabel = ({ isClaim }: OwnPage) =>
  isClaim ? waitlistTexts.claimButton : dropTexts.continueToCheckout

/** Leads someone for whom a unit is reserved back to the page where they can pay for it. */
function StillYours({ page, timeLeft }: { page: OwnPage; timeLeft: ReactNode }) {
  return (
    <div className="grid gap-4 rounded-card bg-sunken p-5">
      <div>
        <h2 className="text-xl font-bold">{page.isClaim ? waitlistTexts.claimTitle : 'Still reserved for you'}</h2>
        <p className="text-muted">
          {page.isClaim ? waitlistTexts.claimOnPage : 'This drop has ended, but you can still pay for your order.'}
        </p>
      </div>
      {timeLeft}
      <Button asChild variant="buy" className="justify-self-start">
        <a href={page.href}>{ownPageLabel(page)}</a>
      </Button>
    </div>
  )
}

/**
 * Says for how long the buyer can still pay: in minutes, and in the last minute in seconds. A screen reader does not
 * read out every change.
 */
function TimeToBuy({ until, serverTime, isClaim }: { until: Date; serverTime: string; isClaim: boolean }) {
  const end = Math.floor(until.getTime() / SECOND_MS)
  const seconds = useServerClock(serverTime, (second) => {
    const left = Math.max(0, end - second)
    return left < 60 ? left : left - (left % 60)
  })
  if (seconds === 0) return null
  return (
    <p role="timer" aria-live="off" aria-label="Time left to buy" className="tabular font-semibold">
      {timeToBuyText(seconds, isClaim)}
    </p>
  )
}

type Notice = { title: string; text: string; isFinal: boolean; isHeld?: boolean }

function noticeOf(drop: DropView, value: string | null, isMine: boolean, held: number): Notice | null {
  if (drop.state === 'ended' && isCanceled(drop)) {
    return { title: dropTexts.canceledTitle, text: dropTexts.canceledText, isFinal: true }
  }
  const closed = openNotice(drop)
  if (closed) return { ...closed, isFinal: true }
  if (drop.state === 'ended') return { title: dropTexts.expiredTitle, text: dropTexts.expiredText, isFinal: true }
  if (drop.state === 'upcoming') {
    return { title: dropTexts.scheduledTitle, text: scheduledText(drop), isFinal: false }
  }
  // The drop as a whole is not sold out, because units of another value are left or in checkout.
  if (drop.state === 'soldOut' && value !== null && drop.sold < drop.quantity) {
    return {
      title: `${value} is sold out`,
      text: `Join the waitlist for ${value}, or choose another one.`,
      isFinal: false,
    }
  }
  if (drop.state === 'soldOut') {
    return { title: 'Sold out', text: `All ${formatCount(drop.quantity)} sold before time ran out.`, isFinal: true }
  }
  if (drop.state === 'paused') {
    return { title: 'Paused', text: "This drop isn't available right now. Please try again later.", isFinal: true }
  }
  if (isMine) {
    return {
      title: 'Reserved for you',
      text: "Finish checking out before time's up.",
      isFinal: false,
      isHeld: true,
    }
  }
  if (drop.available === 0) {
    return {
      title: value === null || drop.isOpenEdition ? 'All in checkout' : `${value}: all in checkout`,
      text: 'A unit may free up. This page updates by itself.',
      isFinal: false,
    }
  }
  if (held > 0) {
    const units = held === 1 ? 'One unit is' : `${held} units are`
    return {
      title: 'Reserved for you',
      text: `${units} still reserved for you. Tap Buy to finish checking out.`,
      isFinal: false,
      isHeld: true,
    }
  }
  return null
}
