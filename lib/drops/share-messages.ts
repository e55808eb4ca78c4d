import { brand } from '@/lib/kernel/brand'
import { formatCount } from '@/lib/kernel/format-count'
import { toLine } from '@/lib/kernel/text'
import { formatMoment } from '@/lib/kernel/time'
import { closedForEverText } from './editions/open-messages'
import { isCanceled } from './rules'
import type { DropView } from './view'
import { priceOf } from './delivery/zone-messages'

type Status = Pick<DropView, 'state' | 'isOpenEdition' | 'sold' | 'quantity' | 'startedAt' | 'endTime' | 'returnsAt'>

/**
 * Returns the state of a drop for previews and captions. Times are points in time and never countdowns, because apps
 * keep previews and posts for a long time.
 */
export function statusText(drop: Status, timeZone: string): string {
  const moment = (iso: string) => formatMoment(new Date(iso), timeZone)
  if (drop.state === 'ended' && isCanceled(drop)) return 'Start canceled'
  if (drop.isOpenEdition) {
    if (drop.state === 'ended') return closedForEverText({ ...drop, inCheckout: 0 }).replace(/\.$/, '')
    if (drop.state === 'soldOut') return `Closed: all ${formatCount(drop.quantity)} ordered`
    if (drop.state === 'live') return `Open until ${moment(drop.endTime)}`
  }
  if (drop.state === 'ended') return drop.returnsAt ? `Back ${moment(drop.returnsAt)}` : 'Ended'
  if (drop.state === 'soldOut') return 'Sold out'
  if (drop.state === 'paused') return 'Paused'
  if (drop.state === 'upcoming') return `Starts ${moment(drop.startedAt)}`
  return `Ends ${moment(drop.endTime)}`
}

/** The apps for which we write captions, with the names of their tabs. */
export const captionChannels = { instagram: 'Instagram', whatsapp: 'WhatsApp', tiktok: 'TikTok', x: 'X' } as const

export type CaptionChannel = keyof typeof captionChannels

type Captioned = Status & Pick<DropView, 'title' | 'priceCents' | 'shippingZones' | 'user'>

/** Returns what share sheets send together with the link: "$24.00. Ends Sat, Nov 21, 7:05 PM EST." */
export function shareText(drop: Captioned, timeZone: string): string {
  return `${priceOf(drop)}. ${statusText(drop, timeZone)}.`
}

const X_LIMIT = 280

/**
 * Returns the caption of a post about a drop. The title has a line of its own, so that a title in a right-to-left
 * script does not reorder the rest. Instagram and TikTok do not make links of captions tappable, so the link is short
 * there. A caption for X has at most 280 characters, for which the title is cut.
 */
export function captionOf(
  channel: CaptionChannel,
  drop: Captioned,
  { link, timeZone }: { link: string; timeZone: string },
): string {
  const title = toLine(drop.title)
  const facts = shareText(drop, timeZone)
  const seller = drop.user.username === null ? [] : [`@${drop.user.username} on ${brand.name}`]
  const typed = link.replace(/^https?:\/\//, '')
  if (channel === 'instagram') return [title, facts, `Get yours at ${typed}`, ...seller].join('\n')
  if (channel === 'tiktok') return [title, facts, typed, ...seller].join('\n')
  if (channel === 'whatsapp') return [title, facts, link, ...seller].join('\n')
  const rest = ['', facts, link, ...seller].join('\n')
  return cutForX(title, X_LIMIT - countForX(rest)) + rest
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const EMOJI = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u
/** A link, or a word that X may turn into one, such as "juno.shop". */
const LINK = /https?:\/\/[^\s/]+\.[^\s]+|[^\s/@:]+\.\p{L}{2,}(?:[/:]\S*)?/gu
/** X shortens each link to this length. */
const LINK_LENGTH = 23
/** The letters that X counts once. It counts all others twice. */
const SINGLE = /[\u{0}-\u{10ff}\u{2000}-\u{200d}\u{2010}-\u{201f}\u{2032}-\u{2037}]/u

/**
 * Counts a text as X does: a link has 23 characters, an emoji two, a letter of most scripts one, and a letter of
 * Chinese, Japanese or Korean two. A word that may not be a link after all counts as the longer of both.
 */
export function countForX(text: string): number {
  const plain = text.normalize('NFC')
  const links = plain.match(LINK) ?? []
  const linked = links.reduce(
    (sum, link) => sum + (link.startsWith('http') ? LINK_LENGTH : Math.max(LINK_LENGTH, countLetters(link))),
    0,
  )
  return linked + countLetters(plain.replace(LINK, ''))
}

function countLetters(text: string): number {
  let count = 0
  for (const { segment } of graphemes.segment(text)) {
    if (EMOJI.test(segment)) count += 2
    else for (const letter of segment) count += SINGLE.test(letter) ? 1 : 2
  }
  return count
}

/** Cuts a title to what X counts as at most `length`, including the ellipsis. Never splits an emoji or a letter. */
function cutForX(title: string, length: number): string {
  if (countForX(title) <= length) return title
  const letters = [...graphemes.segment(title)].map(({ segment }) => segment)
  const cut = (kept: number) => `${letters.slice(0, kept).join('').trimEnd()}…`
  let kept = Math.min(letters.length, length) - 1
  while (kept > 0 && countForX(cut(kept)) > length) kept -= 1
  return cut(kept)
}
