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

/** The longest title, in characters. */
export const MAX_TITLE = 120
/** The longest description, in characters. */
export const MAX_DESCRIPTION = 5_000
/** The longest shipping note, in characters. */
export const MAX_SHIPPING_NOTE = 500
/** The largest quantity of a drop, in units. */
export const MAX_QUANTITY = 1_000_000
/** The cap of an open edition whose seller sets none, in units (docs/product.md#open-editions). */
export const DEFAULT_CAP = 1_000
/** The largest limit per buyer that a seller can set; one order never has more units. */
export const MAX_PER_BUYER = 10

/** Above this size, the form warns the seller that the upload will take a while (docs/product.md#digital-files). */
export const LARGE_FILE_BYTES = 100 * 1024 * 1024

/** Returns why a file cannot be delivered to buyers, judged by its name and size, or null when both are fine. */
export function fileProblem(file: { name: string; size: number }): 'empty' | 'tooLarge' | 'badKind' | null {
  if (file.size === 0) return 'empty'
  if (file.size > MAX_FILE_BYTES) return 'tooLarge'
  return kindOfName(file.name) ? null : 'badKind'
}

/** An `upcoming` drop starts later and cannot be bought yet (docs/product.md#scheduled-start). */
export type DropState = 'upcoming' | 'live' | 'soldOut' | 'ended' | 'paused'

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

/** Returns the state of a drop for its buyers; `now` is the database's time. */
export function dropState(drop: Lifecycle, now: Date): DropState {
  if (isOver(drop, now)) return 'ended'
  if (!drop.isActive || drop.isSellerSuspended || drop.moderation !== 'allowed') return 'paused'
  if (drop.startedAt.getTime() > now.getTime()) return 'upcoming'
  return unsoldUnits(drop) === 0 ? 'soldOut' : 'live'
}

/**
 * Whether nobody can buy a drop yet at `serverTime`, whatever the drop's state is: its start, or with early access the
 * time from which followers may buy, is still to come. A canceled start does not count.
 */
export function isAhead(drop: {
  startedAt: string
  endTime: string
  serverTime: string
  earlyStartsAt?: string | null
}): boolean {
  return Date.parse(drop.earlyStartsAt ?? drop.startedAt) > Date.parse(drop.serverTime) && !isCanceled(drop)
}

/**
 * Whether the start of a drop was canceled, so that the drop never ran (docs/product.md#scheduled-start). A drop that
 * followers bought during early access, or may still pay for, did run, even if it ended before its public start.
 */
export function isCanceled(drop: { startedAt: string; endTime: string; sold?: number; inCheckout?: number }): boolean {
  return Date.parse(drop.startedAt) >= Date.parse(drop.endTime) && !drop.sold && !drop.inCheckout
}

/**
 * Returns the time from which the owner may launch the drop again under the same link (docs/product.md#relaunching).
 */
export function relaunchAt(endTime: Date): Date {
  return new Date(endTime.getTime() + RELAUNCH_AFTER_MS)
}

/** Returns "Ready to relaunch", or before that time "Xh Ym until relaunch" (docs/product.md#relaunching). */
export function relaunchText(endTime: Date, now: Date): string {
  const remainingMs = relaunchAt(endTime).getTime() - now.getTime()
  return remainingMs <= 0 ? 'Ready to relaunch' : `${formatHoursMinutes(remainingMs)} until relaunch`
}

/**
 * Returns the quantity of a new run when the seller enters none: the keys that are left, the unsold units of physical
 * goods, and the whole quantity of anything else (docs/product.md#relaunching).
 * @param drop.keysLeft null or left out for a drop without keys
 */
export function nextQuantity(drop: {
  productType: string
  quantity: number
  sold: number
  keysLeft?: number | null
}): number {
  if (typeof drop.keysLeft === 'number') return drop.keysLeft
  return drop.productType === 'physical' ? unsoldUnits(drop) : drop.quantity
}

/**
 * Returns how much of its running time a drop has left, from 1 at launch (and before it) to 0 at the end. The page
 * draws the fuse at this fraction of its full length.
 */
export function fuseLeft(startedAtMs: number, endTimeMs: number, nowMs: number): number {
  const whole = endTimeMs - startedAtMs
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, (endTimeMs - nowMs) / whole))
}

/**
 * How near a drop's end is. The countdown changes its look in the last hour and again in the last minute. The fuse
 * changes only in the last hour.
 */
export type ClockStage = 'early' | 'lastHour' | 'lastMinute' | 'over'

/**
 * Returns the stage of the countdown. The last hour begins when less than an hour is left, so with exactly 60 minutes
 * left the countdown still shows "01 00 00".
 */
export function clockStage(remainingMs: number): ClockStage {
  if (remainingMs <= 0) return 'over'
  if (remainingMs < MINUTE_MS) return 'lastMinute'
  return remainingMs < HOUR_MS ? 'lastHour' : 'early'
}

/**
 * Returns what the countdown shows: hours, minutes and seconds. The last hour shows only minutes and seconds, and the
 * last minute only seconds (docs/product.md#countdown).
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

type Stamped = {
  state: DropState
  sold: number
  quantity: number
  isOpenEdition?: boolean
  startedAt: string
  endTime: string
  inCheckout?: number
}

/**
 * Returns the stamp that takes the place of the countdown when a drop has ended or is sold out, with how many units
 * were sold. The stamp of a drop that ended without a sale has no number. Returns null for a drop in any other state.
 * An open edition is closed in both states. A drop whose start was canceled never ran, so it did not end.
 */
export function stampOf(drop: Stamped): { title: string; text: string | null } | null {
  const { state, sold, quantity, isOpenEdition = false } = drop
  if (state === 'ended' && isCanceled(drop)) return { title: 'Canceled', text: null }
  if (state !== 'ended' && state !== 'soldOut') return null
  if (isOpenEdition) return { title: 'Closed', text: sold === 0 ? null : `${formatCount(sold)} ordered` }
  const title = state === 'ended' ? 'Ended' : 'Sold out'
  if (sold === 0) return { title, text: null }
  if (sold < quantity) return { title, text: `${formatCount(sold)} of ${formatCount(quantity)} sold` }
  return { title, text: sold === 1 ? '1 sold' : `All ${formatCount(sold)} sold` }
}

/** The events that the seller's screen celebrates: a drop's first sale, and that the drop has sold out. */
export type Celebration = 'firstSale' | 'soldOut'

type Selling = { state: DropState; purchases: number }

/**
 * Compares two readings of a drop, and returns the event between them that is celebrated, or null. When the first sale
 * also sells the drop out, the result is 'soldOut'.
 */
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
 * Returns what is wrong with a custom link, or null. It must not be all digits (like an integer id), look like a unique
 * id, or be a reserved word (docs/product.md#links-of-a-drop).
 */
export function slugProblem(slug: string): 'slugInvalid' | 'slugReserved' | null {
  const isLink = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug) && slug.length <= MAX_SLUG && !/^\d+$/.test(slug)
  if (!isLink) return 'slugInvalid'
  return RESERVED_SLUGS.has(slug) || /^d[a-z0-9]{9}$/.test(slug) ? 'slugReserved' : null
}

/**
 * Returns the identifier for links to a drop: its customSlug if it has one, otherwise its uniqueId
 * (docs/product.md#links-of-a-drop).
 */
export function canonicalIdentifier(drop: { customSlug: string | null; uniqueId: string }): string {
  return drop.customSlug ?? drop.uniqueId
}

/** Returns the path of a drop's page. */
export function dropPath(drop: { customSlug: string | null; uniqueId: string }): string {
  return `/drop/${canonicalIdentifier(drop)}`
}

/**
 * Cleans a file name for display and download: removes the path, invisible characters and those that file systems
 * reject, shortens the name to 100 characters, and adds the extension that matches the content.
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

/** Returns purchases divided by views, as a percentage with one decimal (docs/product.md#live-analytics). */
export function conversionText(purchases: number, views: number): string {
  return `${views === 0 ? '0.0' : ((purchases / views) * 100).toFixed(1)}%`
}

/**
 * Suggests how many units to sell to people who are waiting: one for each of them, rounded down to tens from 20 on,
 * because not everyone who is waiting will buy (docs/product.md#demand).
 */
export function suggestedQuantity(waiting: number): number {
  return waiting < 20 ? waiting : Math.floor(waiting / 10) * 10
}

/** The sources of a visit. Their number is small, so that a chart can show each in its own color. */
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

/** The apps whose built-in browsers are recognized, by the names that the metrics use. */
export const inAppIds = ['instagram', 'facebook', 'tiktok', 'x', 'linkedin', 'wechat'] as const
export type InAppId = (typeof inAppIds)[number]

/**
 * The patterns that recognize each source of a visit. The link's tag counts first, then the app, then the referring
 * host.
 */
const SOURCE_PATTERNS: [source: VisitSource, tag: RegExp, app: RegExp | null, host: RegExp][] = [
  ['instagram', /^(ig|insta)/, /Instagram/, /(^|\.)instagram\.com$/],
  ['tiktok', /^(tiktok|tt$)/, /TikTok|musical_ly|BytedanceWebview/, /(^|\.)tiktok\.com$/],
  ['x', /^(x|twitter)$/, /Twitter/, /(^|\.)(x|twitter)\.com$|^t\.co$/],
  ['whatsapp', /^(whatsapp|wa$)/, /WhatsApp/, /(^|\.)(whatsapp\.com|wa\.me)$/],
  ['facebook', /^(facebook|fb|meta)/, /FBAN|FBAV/, /(^|\.)(facebook|messenger)\.com$|^fb\.me$/],
  ['youtube', /^(youtube|yt$)/, null, /(^|\.)youtube\.com$|^youtu\.be$/],
  ['telegram', /^(telegram|tg$)/, /Telegram/, /(^|\.)(telegram\.org|t\.me)$|^org\.telegram/],
]

/**
 * Returns where a visit came from.
 * @param visit.host the host of the referring page, or `''` when the host is unknown or is our own.
 */
export function visitSource(visit: { tag: string; userAgent: string; host: string }): VisitSource {
  const [tag, host] = [visit.tag.toLowerCase(), visit.host.toLowerCase()]
  const byTag = SOURCE_PATTERNS.find(([, pattern]) => pattern.test(tag))
  if (byTag) return byTag[0]
  const byApp = SOURCE_PATTERNS.find(([, , pattern]) => pattern?.test(visit.userAgent))
  if (byApp) return byApp[0]
  const byHost = SOURCE_PATTERNS.find(([, , , pattern]) => pattern.test(host))
  if (byHost) return byHost[0]
  return tag === '' && host === '' ? 'direct' : 'other'
}
