import 'server-only'
import { createHash } from 'node:crypto'
import type { Metadata } from 'next'
import { fuseLeft } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { cutText } from '@/lib/kernel/text'
import { DAY_MS } from '@/lib/kernel/time'
import { previewSize } from './preview-size'

const endText = (iso: string) =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(new Date(iso)) + ' UTC'

/**
 * The state of a drop as a preview shows it: always a point in time and never a countdown, because apps keep previews.
 */
export function previewStatus(drop: DropView): string {
  if (drop.state === 'ended') return drop.returnsAt ? `Back ${endText(drop.returnsAt)}` : 'Ended'
  if (drop.state === 'soldOut') return 'Sold out'
  if (drop.state === 'paused') return 'Paused'
  if (drop.state === 'scheduled') return `Starts ${endText(drop.startedAt)}`
  return `Ends ${endText(drop.endTime)}`
}

/**
 * How much of the time is left, as the fuse of a picture shows it, in tenths: a picture is drawn and fetched anew ten times at
 * most. None is left of a drop that cannot be bought.
 */
export function fuseTenths({ state, startedAt, endTime, serverTime }: DropView): number {
  if (state === 'scheduled') return 10
  if (state !== 'live') return 0
  return Math.ceil(10 * fuseLeft(Date.parse(startedAt), Date.parse(endTime), Date.parse(serverTime)))
}

/** A short text that changes whenever the preview image changes. */
export function previewVersion(drop: DropView): string {
  const look = createHash('sha256').update(`${drop.imageUrl} ${drop.title}`).digest('base64url').slice(0, 8)
  const moment = Math.floor(
    Date.parse(drop.returnsAt ?? (drop.state === 'scheduled' ? drop.startedAt : drop.endTime)) / 1000,
  )
  return [drop.state, drop.priceCents, moment, look, drop.run, fuseTenths(drop)].join('-')
}

/**
 * The address of the preview image. It changes with the image, so that apps fetch it again
 * (docs/product.md#link-previews).
 */
export function previewImagePath(drop: DropView): string {
  return `/drop/${drop.identifier}/opengraph-image?v=${previewVersion(drop)}`
}

/** The address of the oEmbed data about this link. */
function oembedLink(path: string) {
  return { 'application/json+oembed': `/api/oembed?format=json&url=${encodeURIComponent(env().appUrl + path)}` }
}

/** For how long search engines may list an ended drop; its link works for ever (ADR 0020). */
const FOUND_AFTER_END_MS = 30 * DAY_MS

function isWorthFinding(drop: DropView): boolean {
  if (drop.state === 'paused') return false
  return Date.parse(drop.serverTime) - Date.parse(drop.endTime) < FOUND_AFTER_END_MS
}

/** The meta tags of a drop's link preview (docs/product.md#link-previews). */
export function dropMetadata(drop: DropView): Metadata {
  const title = cutText(drop.title, 60)
  const description = cutText(
    `${formatUsd(drop.priceCents)} · ${previewStatus(drop)}. ${drop.description.replace(/\s+/g, ' ')}`,
    155,
  )
  const image = { url: previewImagePath(drop), ...previewSize, alt: drop.title, type: 'image/png' }
  return {
    title,
    description,
    ...(isWorthFinding(drop) ? {} : { robots: { index: false } }),
    alternates: { canonical: `/drop/${drop.identifier}`, types: oembedLink(`/drop/${drop.identifier}`) },
    openGraph: {
      title,
      description,
      url: `/drop/${drop.identifier}`,
      siteName: brand.name,
      type: 'website',
      images: [image],
    },
    twitter: { card: 'summary_large_image', title, description, images: [image] },
    other: {
      'product:price:amount': drop.price,
      'product:price:currency': 'USD',
    },
  }
}
