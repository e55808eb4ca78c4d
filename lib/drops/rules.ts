import type { FileKind } from '@/lib/kernel/file-kind'
import { formatCount } from '@/lib/kernel/format-count'
import { formatHoursMinutes, HOUR_MS, MINUTE_MS, splitRemaining } from '@/lib/kernel/time'
import { kindOfName, MAX_FILE_BYTES } from '@/lib/uploads/rules'
import { unsoldUnits } from '@/lib/stock/rules'

/** How long a run may last, in hours (docs/product.md#create-form). */
export const DURATIONS = [24, 48, 72] as const
/** The duration that the create form proposes, in hours. */
export const DEFAULT_DURATION = 24
/** The largest number of pictures of a drop. */
export const MAX_IMAGES = 5
/** The longest custom link, in characters. */
export const MAX_SLUG = 50
/** How long after its end a drop can be launched again. */
const RELAUNCH_AFTER_MS = 24 * HOUR_MS

// The longest texts and the largest quantity that a drop may have.
/** In characters; a title has to fit a title bar. */
export const MAX_TITLE = 120
/** In characters. */
export const MAX_DESCRIPTION = 5_000
/** In characters. */
export const MAX_SHIPPING_NOTE = 500
/** In units. */
export const MAX_QUANTITY = 1_000_000
/** The largest limit per buyer that a seller can set; one order never has more units. */
export const MAX_PER_BUYER = 10

/** Above this size, the form warns the seller that the upload will take a while (docs/product.md#digital-files). */
export const LARGE_FILE_BYTES = 100 * 1024 * 1024

/** Why a file cannot be delivered to buyers, judged by its name and size; null when both are fine. */
export function fileProblem(file: { name: string; size: number }): 'empty' | 'tooLarge' | 'badKind' | null {
  if (file.size === 0) return 'empty'
  if (file.size > MAX_FILE_BYTES) return 'tooLarge'
  return kindOfName(file.name) ? null : 'badKind'
}

/** `scheduled`: it starts later and cannot be bought yet (docs/product.md#scheduled-start). */
export type DropState = 'scheduled' | 'live' | 'soldOut' | 'ended' | 'paused'

type Lifecycle = {
  startedAt: Date
  endTime: Date
  isActive: boolean
  archivedAt: Date | null
  quantity: number
  sold: number
  isSellerSuspended: boolean
  moderation: 'allowed' | 'review' | 'refused'
}

/**
 * A drop is over as soon as its end time has passed, even if the archive job has not marked it yet
 * (docs/product.md#when-a-drop-is-over).
 */
export function isOver(drop: Pick<Lifecycle, 'endTime' | 'archivedAt'>, now: Date): boolean {
  return drop.archivedAt !== null || drop.endTime.getTime() <= now.getTime()
}

/** The state of a drop for its buyers at a given time; `now` is the database's time. */
export function dropState(drop: Lifecycle, now: Date): DropState {
  if (isOver(drop, now)) return 'ended'
  if (!drop.isActive || drop.isSellerSuspended || drop.moderation !== 'allowed') return 'paused'
  if (drop.startedAt.getTime() > now.getTime()) return 'scheduled'
  return unsoldUnits(drop) === 0 ? 'soldOut' : 'live'
}

/** Whether a drop's start lies ahead, in whatever state it is; by the time of the answer that shows it. */
export function isAhead(drop: { startedAt: string; endTime: string; serverTime: string }): boolean {
  return Date.parse(drop.startedAt) > Date.parse(drop.serverTime) && !isCancelled(drop)
}

/** Whether a drop that is over never started, because its start was cancelled (docs/product.md#scheduled-start). */
export function isCancelled(drop: { startedAt: string; endTime: string }): boolean {
  return Date.parse(drop.startedAt) >= Date.parse(drop.endTime)
}

/** The time from which the owner may launch the drop again under the same link (docs/product.md#relaunching). */
export function relaunchAt(endTime: Date): Date {
  return new Date(endTime.getTime() + RELAUNCH_AFTER_MS)
}

/** "Ready to relaunch", and before that "Xh Ym until relaunch" (docs/product.md#relaunching). */
export function relaunchText(endTime: Date, now: Date): string {
  const remainingMs = relaunchAt(endTime).getTime() - now.getTime()
  return remainingMs <= 0 ? 'Ready to relaunch' : `${formatHoursMinutes(remainingMs)} until relaunch`
}

/**
 * The quantity of a new run when the seller states none: the units left of physical goods, the whole quantity of
 * anything else (docs/product.md#relaunching).
 */
export function nextQuantity(drop: { productType: string; quantity: number; sold: number }): number {
  return drop.productType === 'physical' ? unsoldUnits(drop) : drop.quantity
}

/**
 * How much of its running time a drop has left, from 1 at launch to 0 at the end. The fuse is as long as this number.
 */
export function fuseLeft(startedAtMs: number, endTimeMs: number, nowMs: number): number {
  const whole = endTimeMs - startedAtMs
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, (endTimeMs - nowMs) / whole))
}

/**
 * How near the end is. The countdown changes its look in the last hour and again in the last minute; the fuse changes only
 * in the last hour.
 */
export type ClockStage = 'early' | 'lastHour' | 'lastMinute' | 'over'

/**
 * The stage of the countdown. The last hour begins when less than an hour is left: with exactly 60 minutes left the
 * clock still shows "01 00 00".
 */
export function clockStage(remainingMs: number): ClockStage {
  if (remainingMs <= 0) return 'over'
  if (remainingMs < MINUTE_MS) return 'lastMinute'
  return remainingMs < HOUR_MS ? 'lastHour' : 'early'
}

/**
 * What the countdown shows: hours, minutes and seconds; in the last hour minutes and seconds; in the last minute the
 * seconds alone (docs/product.md#countdown).
 */
export function clockDigits(remainingMs: number): [value: string, unit: string][] {
  const { hours, minutes, seconds } = splitRemaining(remainingMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const stage = clockStage(remainingMs)
  if (stage === 'lastMinute' || stage === 'over') return [[String(seconds), 'sec']]
  const lastHour: [string, string][] = [
    [two(minutes), 'min'],
    [two(seconds), 'sec'],
  ]
  return stage === 'lastHour' ? lastHour : [[two(hours), 'hours'], ...lastHour]
}

type Stamped = { state: DropState; sold: number; quantity: number }

/**
 * The stamp that takes the place of the countdown when a drop has ended or is sold out, with how many units were sold.
 * A drop that ended without a sale has a stamp without a number. Null while there is nothing to stamp.
 */
export function stampOf({ state, sold, quantity }: Stamped): { title: string; text: string | null } | null {
  if (state !== 'ended' && state !== 'soldOut') return null
  const title = state === 'ended' ? 'Ended' : 'Sold out'
  if (sold === 0) return { title, text: null }
  if (sold < quantity) return { title, text: `${formatCount(sold)} of ${formatCount(quantity)} sold` }
  return { title, text: sold === 1 ? '1 sold' : `All ${formatCount(sold)} sold` }
}

/** What is celebrated on the seller's screen: the first sale of a drop, and that it sold out. */
export type Celebration = 'firstSale' | 'soldOut'

type Selling = { state: DropState; purchases: number }

/** What there is to celebrate between two readings of a drop; a sell-out comes before a first sale. */
export function celebrationOf(before: Selling, now: Selling): Celebration | null {
  if (now.state === 'soldOut' && before.state === 'live') return 'soldOut'
  return before.purchases === 0 && now.purchases > 0 ? 'firstSale' : null
}

const RESERVED_SLUGS = new Set([
  'new',
  'create',
  'edit',
  'admin',
  'api',
  'drop',
  'drops',
  'opengraph-image',
  'null',
  'undefined',
])

/** Cleans what the seller types into the custom-link field (docs/product.md#custom-links). */
export function cleanSlug(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '')
    .slice(0, MAX_SLUG)
}

/**
 * Returns what is wrong with a custom link, or null. It may not be all digits (like an integer id), look like a unique
 * id, or be a reserved word (docs/product.md#links-of-a-drop).
 */
export function slugProblem(slug: string): 'slugInvalid' | 'slugReserved' | null {
  const isLink = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug) && slug.length <= MAX_SLUG && !/^\d+$/.test(slug)
  if (!isLink) return 'slugInvalid'
  return RESERVED_SLUGS.has(slug) || /^d[a-z0-9]{9}$/.test(slug) ? 'slugReserved' : null
}

/**
 * The identifier used in every link to a drop: its customSlug if it has one, otherwise its uniqueId
 * (docs/product.md#links-of-a-drop).
 */
export function canonicalIdentifier(drop: { customSlug: string | null; uniqueId: string }): string {
  return drop.customSlug ?? drop.uniqueId
}

/** The path of a drop's page. */
export function dropPath(drop: { customSlug: string | null; uniqueId: string }): string {
  return `/drop/${canonicalIdentifier(drop)}`
}

/**
 * Cleans a file name for display and download: removes the path and the characters that file systems reject, and adds
 * the extension that matches the content.
 */
export function safeFileName(name: string, kind: FileKind): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const stem = last
    .replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '')
    .replace(kind === 'jpg' ? /\.jpe?g$/i : new RegExp(`\\.${kind}$`, 'i'), '')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(0, 100)
    .trim()
  return `${stem || 'file'}.${kind}`
}

/** Purchases divided by views, as a percentage with one decimal (docs/product.md#live-analytics). */
export function conversionText(purchases: number, views: number): string {
  return `${views === 0 ? '0.0' : ((purchases / views) * 100).toFixed(1)}%`
}

/** The sources of a visit. They are few, so that a chart can show each in its own colour. */
export type VisitSource = (typeof visitSources)[number]

export const visitSources = [
  'instagram',
  'tiktok',
  'x',
  'whatsapp',
  'facebook',
  'youtube',
  'telegram',
  'direct',
  'other',
] as const

/** The apps whose built-in browsers are recognised, by the names that the metrics use. */
export const inAppIds = ['instagram', 'facebook', 'tiktok', 'x', 'linkedin', 'wechat'] as const
export type InAppId = (typeof inAppIds)[number]

/**
 * The signs of each source of a visit. The link's tag counts first, then the app, then the referring host.
 */
const SOURCE_SIGNS: [source: VisitSource, tag: RegExp, app: RegExp | null, host: RegExp][] = [
  ['instagram', /^(ig|insta)/, /Instagram/, /(^|\.)instagram\.com$/],
  ['tiktok', /^(tiktok|tt$)/, /TikTok|musical_ly|BytedanceWebview/, /(^|\.)tiktok\.com$/],
  ['x', /^(x|twitter)$/, /Twitter/, /(^|\.)(x|twitter)\.com$|^t\.co$/],
  ['whatsapp', /^(whatsapp|wa$)/, /WhatsApp/, /(^|\.)(whatsapp\.com|wa\.me)$/],
  ['facebook', /^(facebook|fb|meta)/, /FBAN|FBAV/, /(^|\.)(facebook|messenger)\.com$|^fb\.me$/],
  ['youtube', /^(youtube|yt$)/, null, /(^|\.)youtube\.com$|^youtu\.be$/],
  ['telegram', /^(telegram|tg$)/, /Telegram/, /(^|\.)(telegram\.org|t\.me)$|^org\.telegram/],
]

/**
 * Where a visit came from.
 * @param visit.host the host of the referring page, `''` when it is unknown or is our own.
 */
export function visitSource(visit: { tag: string; userAgent: string; host: string }): VisitSource {
  const [tag, host] = [visit.tag.toLowerCase(), visit.host.toLowerCase()]
  const byTag = SOURCE_SIGNS.find(([, pattern]) => pattern.test(tag))
  if (byTag) return byTag[0]
  const byApp = SOURCE_SIGNS.find(([, , pattern]) => pattern?.test(visit.userAgent))
  if (byApp) return byApp[0]
  const byHost = SOURCE_SIGNS.find(([, , , pattern]) => pattern.test(host))
  if (byHost) return byHost[0]
  return tag === '' && host === '' ? 'direct' : 'other'
}
