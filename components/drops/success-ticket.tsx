'use client'

import { priceOf } from '@/lib/drops/delivery/zone-messages'
import { Image as Picture } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Disclosure } from '@/components/ui/disclosure'
import { storageKeys } from '@/lib/client/storage-keys'
import { tabStorage } from '@/lib/client/tab-storage'
import { dropPath, isAhead } from '@/lib/drops/rules'
import { shareText } from '@/lib/drops/share-messages'
import { startTexts } from '@/lib/drops/start/start-messages'
import type { SellerDropView } from '@/lib/drops/view'
import { reviewTexts } from '@/lib/moderation/messages'
import { CaptionPicker } from './caption-picker'
import { DropImage } from './drop-image'
import { FollowedCelebration } from './followed-celebration'
import { LocalTime } from './local-time'
import { CopyButton, ShareButton } from './share-button'
import { shareStory } from './share-story'

type SuccessTicketProps = {
  drop: SellerDropView | null
  /** The identifier of the drop in the page's URL, or null. */
  named: string | null
  origin: string
  qr: { size: number; path: string } | null
  /** The seller's time zone, for the times in captions. */
  timezone: string
  /** Live Analytics, which Pro sellers see below the ticket. */
  children?: ReactNode
}

/** The page stops saying "Loading your drop..." after this time (docs/product.md#success-page). */
const GIVE_UP_MS = 5_000
/** The stored drop does not change while the page is open, so there is nothing to subscribe to. */
const subscribeToNothing = () => () => undefined

/**
 * Returns the drop that the server found by the page's URL, or the drop that the create form stored in this tab
 * (docs/product.md#success-page). Returns null if there is neither, or if the URL names another drop than the stored
 * one.
 */
function useCreatedDrop(given: SellerDropView | null, named: string | null): SellerDropView | null {
  const stored = useSyncExternalStore(subscribeToNothing, storedDrop, () => null)
  const kept = readStored(stored)
  return given ?? (named === null || kept?.identifier === named ? kept : null)
}

const storedDrop = () => tabStorage.get(storageKeys.createdDrop)

/** Records in this tab that the visitor went from this page to the drop. */
function noteOrigin(drop: SellerDropView): void {
  tabStorage.set(storageKeys.cameFromSuccess, drop.identifier)
}

function readStored(text: string | null): SellerDropView | null {
  try {
    const drop = JSON.parse(text ?? 'null') as SellerDropView | null
    const isWhole = typeof drop?.identifier === 'string' && typeof drop.title === 'string' && Array.isArray(drop.images)
    return isWhole ? drop : null
  } catch {
    return null
  }
}

export function SuccessTicket({ drop: given, named, origin, qr, timezone, children }: SuccessTicketProps) {
  const drop = useCreatedDrop(given, named)
  if (!drop) return <Waiting />
  const isInReview = drop.moderation === 'review'
  const [image] = drop.images
  return (
    <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-16">
      <div>
        {isInReview ? null : <FollowedCelebration initial={drop} />}
        <h1 className="text-4xl font-extrabold">Drop Created!</h1>
        <p className="mt-1 text-lg text-muted">{statusText(drop)}</p>
      </div>
      <Card className="overflow-hidden">
        {image ? (
          <div className="aspect-video bg-sunken sm:aspect-[4/3]">
            <DropImage image={image} alt={drop.title} sizes="(min-width: 448px) 28rem, 100vw" isHero />
          </div>
        ) : null}
        <div className="grid gap-1 p-5">
          <h2 className="text-2xl font-bold">{drop.title}</h2>
          <p className="tabular flex justify-between gap-4">
            <span className="font-semibold">{priceOf(drop)}</span>
            <span className="font-semibold text-ember">
              {isAhead(drop) ? (
                <>
                  Starts <LocalTime iso={drop.startedAt} />
                </>
              ) : (
                `Expires in ${drop.duration} hours`
              )}
            </span>
          </p>
        </div>
        <div className="relative grid gap-4 border-t-2 border-dashed p-5">
          {isInReview ? (
            <p role="status">{isAhead(drop) ? startTexts.review : reviewTexts.text}</p>
          ) : (
            <Sharing drop={drop} link={origin + dropPath(drop)} qr={qr} timezone={timezone} />
          )}
        </div>
      </Card>
      {isInReview ? null : (
        <Button asChild variant="outline" size="lg">
          <a href={dropPath(drop)} onClick={() => noteOrigin(drop)}>
            Preview Drop
          </a>
        </Button>
      )}
      {children}
      <Link
        href="/"
        className="inline-flex min-h-11 items-center justify-center font-semibold underline underline-offset-4"
      >
        Go to your dashboard
      </Link>
    </main>
  )
}

function statusText(drop: SellerDropView): string {
  if (drop.moderation === 'review') return reviewTexts.title
  return isAhead(drop) ? 'Your drop is scheduled. Share it before it starts.' : 'Your drop is live. Now share it.'
}

type SharingProps = { drop: SellerDropView; link: string; qr: SuccessTicketProps['qr']; timezone: string }

/** Shows the ways to share the drop, the ones that most sellers need first. */
function Sharing({ drop, link, qr, timezone }: SharingProps) {
  const path = dropPath(drop)
  const [hasCaptions, setHasCaptions] = useState(false)
  return (
    <>
      <ShareButton title={drop.title} path={path} text={shareText(drop, timezone)} variant="default" size="lg" />
      <Story identifier={drop.identifier} path={path} />
      <div className="flex items-stretch gap-2">
        <p className="min-w-0 flex-1 rounded-control bg-sunken px-3 py-2.5 text-sm font-medium wrap-anywhere select-all">
          {link}
        </p>
        <CopyButton path={path} />
      </div>
      <Button variant="outline" aria-expanded={hasCaptions} onClick={() => setHasCaptions(!hasCaptions)}>
        Captions for your post
      </Button>
      {hasCaptions ? <CaptionPicker drop={drop} link={link} timezone={timezone} /> : null}
      {qr ? (
        <Disclosure label="QR code for print">
          <svg
            viewBox={`0 0 ${qr.size} ${qr.size}`}
            role="img"
            aria-label="QR code of the drop's link"
            className="mx-auto mb-4 w-full max-w-60 rounded-control bg-white p-1"
            shapeRendering="crispEdges"
          >
            <path d={qr.path} fill="#17150f" />
          </svg>
        </Disclosure>
      ) : null}
    </>
  )
}

/** Shows the picture for a story and the button that hands it to the phone's share sheet. */
function Story({ identifier, path }: { identifier: string; path: string }) {
  const [isDrawing, setIsDrawing] = useState(false)
  return (
    <div className="flex items-center gap-4">
      {/* eslint-disable-next-line @next/next/no-img-element -- the picture is drawn by our own route */}
      <img
        src={`${path}/story-image`}
        alt="Story image with photo, title, price and link"
        width={1080}
        height={1920}
        className="aspect-[9/16] w-24 shrink-0 rounded-control border bg-sunken object-cover"
      />
      <div className="grid min-w-0 flex-1 gap-3">
        <p className="text-sm text-muted">
          <span className="block text-base font-semibold text-ink">For your story</span>
          Cover the frame at the bottom with your app&apos;s link sticker.
        </p>
        <Button
          disabled={isDrawing}
          className="whitespace-normal"
          onClick={() => {
            setIsDrawing(true)
            void shareStory(identifier).finally(() => setIsDrawing(false))
          }}
        >
          <Picture aria-hidden />
          {isDrawing ? 'Creating…' : 'Share story'}
        </Button>
      </div>
    </div>
  )
}

function Waiting() {
  const [hasGivenUp, setHasGivenUp] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setHasGivenUp(true), GIVE_UP_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <main className="mx-auto grid max-w-md justify-items-start gap-4 px-5 py-20">
      <h1 className="text-3xl font-extrabold" aria-live="polite">
        {hasGivenUp ? "We can't find that drop" : 'Loading your drop...'}
      </h1>
      {hasGivenUp ? (
        <>
          <p className="text-lg text-muted">If the drop was created, you&apos;ll find it on your dashboard.</p>
          <Button asChild>
            <Link href="/">Go to your dashboard</Link>
          </Button>
        </>
      ) : null}
    </main>
  )
}
