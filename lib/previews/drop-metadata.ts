import 'server-only'
import { sellerName } from '@/lib/accounts/rules'
import { createHash } from 'node:crypto'
import type { Metadata } from 'next'
import { orderedSoFarText, roundedOrderedText } from '@/lib/drops/editions/open-messages'
import { fuseLeft, isCanceled } from '@/lib/drops/rules'
import { statusText } from '@/lib/drops/share-messages'
import { type DropRow, type DropView, toDropView } from '@/lib/drops/view'
import { hasSurcharge, priceOf } from '@/lib/drops/delivery/zone-messages'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { cutText } from '@/lib/kernel/text'
import { DAY_MS, formatMoment } from '@/lib/kernel/time'
import { previewSize } from './preview-size'

/**
 * A drop with the time zone of its seller, in which previews show times, because they cannot know the reader's zone.
 */
export type PreviewedDrop = DropView & { timeZone: string }

/** Returns what previews of a drop show: its public view, and the time zone of its seller. */
export function toPreviewedDrop(row: DropRow): PreviewedDrop {
  return { ...toDropView(row), timeZone: row.sellerTimezone }
}

/** Returns the state of a drop as a preview shows it. */
export function previewStatus(drop: PreviewedDrop): string {
  return statusText(drop, drop.timeZone)
}

/** Returns the price for a preview, with a note if shipping is added or the units are numbered. */
export function previewPrice(drop: DropView): string {
  return `${priceOf(drop)}${drop.isNumbered ? ' · numbered' : ''}`
}

/**
 * Says roughly how many units of a live open edition are ordered, for pictures; null for any other drop. The number
 * grows in steps, so that a picture does not have to be drawn again after every sale.
 */
export function previewOrdered({ isOpenEdition, state, sold }: DropView): string | null {
  return isOpenEdition && state === 'live' ? roundedOrderedText(sold) : null
}

/**
 * Says whether and when a drop that has not ended may be sold again; null if no return is planned. Previews show this
 * beside the end, so that nobody buys because they believe that it is their last chance
 * (docs/product.md#history-of-a-drop).
 */
export function previewReturn({ state, history, timeZone }: PreviewedDrop): string | null {
  if (state === 'ended' || !history?.returnsAt) return null
  return `${history.isReturnSure ? 'Returns' : 'May return'} ${formatMoment(new Date(history.returnsAt), timeZone)}`
}

/**
 * Returns how many tenths of the drop's time are left, as the fuse of a picture shows them. A picture is therefore
 * drawn again at most ten times as time passes. A scheduled drop has all ten left. A drop that is sold out, paused or
 * ended has none.
 */
export function fuseTenths({ state, startedAt, endTime, serverTime }: DropView): number {
  if (state === 'upcoming') return 10
  if (state !== 'live') return 0
  return Math.ceil(10 * fuseLeft(Date.parse(startedAt), Date.parse(endTime), Date.parse(serverTime)))
}

/** Returns a short string that changes whenever the preview image changes. */
export function previewVersion(drop: PreviewedDrop): string {
  const look = createHash('sha256')
    .update([drop.imageUrl, drop.title, sellerName(drop.user), drop.timeZone].join(' '))
    .digest('base64url')
    .slice(0, 8)
  const moment = Math.floor(
    Date.parse(drop.returnsAt ?? (drop.state === 'upcoming' ? drop.startedAt : drop.endTime)) / 1000,
  )
  const { returnsAt = null, isReturnSure = false } = drop.history ?? {}
  const returns = previewReturn(drop) ? [Math.floor(Date.parse(returnsAt ?? '') / 1000), isReturnSure ? 's' : 'm'] : []
  const ordered = drop.isOpenEdition
    ? [drop.state === 'ended' ? drop.sold : (previewOrdered(drop) ?? '').replace(/\D/g, '')]
    : []
  const shipping = hasSurcharge(drop.shippingZones) ? ['s'] : []
  return [
    drop.state === 'ended' && isCanceled(drop) ? 'canceled' : drop.state,
    drop.priceCents,
    ...shipping,
    moment,
    look,
    drop.run,
    fuseTenths(drop),
    ...returns,
    ...ordered,
  ].join('-')
}

/**
 * Returns the URL path of the preview image. It changes with the image, so that apps fetch the image again
 * (docs/product.md#link-previews).
 */
export function previewImagePath(drop: PreviewedDrop): string {
  return `/drop/${drop.identifier}/opengraph-image?v=${previewVersion(drop)}`
}

/** The link to the oEmbed data of this page. */
function oembedLink(path: string) {
  return { 'application/json+oembed': `/api/oembed?format=json&url=${encodeURIComponent(env().appUrl + path)}` }
}

/** How long search engines may list an ended drop. The drop's link works forever (ADR 0020). */
const FOUND_AFTER_END_MS = 30 * DAY_MS

function isWorthFinding(drop: DropView): boolean {
  if (drop.state === 'paused') return false
  return Date.parse(drop.serverTime) - Date.parse(drop.endTime) < FOUND_AFTER_END_MS
}

/** The meta tags of a drop's page, with those of its link preview (docs/product.md#link-previews). */
export function dropMetadata(drop: PreviewedDrop): Metadata {
  const title = cutText(drop.title, 60)
  const ordered = drop.isOpenEdition && drop.state === 'live' ? orderedSoFarText({ ...drop, inCheckout: 0 }) : null
  const status = [previewStatus(drop), previewReturn(drop), ordered, sellerName(drop.user)].filter(Boolean).join(' · ')
  const description = cutText(`${previewPrice(drop)} · ${status}. ${drop.description.replace(/\s+/g, ' ')}`, 155)
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
