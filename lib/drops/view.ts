import type { ItemCondition } from '@/lib/kernel/item-condition'
import { mediaPath } from '@/lib/kernel/media-path'
import { toDecimal } from '@/lib/kernel/money'
import { phonePhotoKey } from '@/lib/kernel/phone-photo-key'
import type { Plan } from '@/lib/kernel/plan'
import type { ProductType } from '@/lib/kernel/product-type'
import { reviewTexts } from '@/lib/moderation/messages'
import { freeUnits } from '@/lib/stock/rules'
import { type DropHistory, type HistoryRow, toDropHistory } from './history/history-view'
import { type EarlyRow, type EarlyView, type SellerEarlyView, toEarlyView, toSellerEarlyView } from './start/early-view'
import { shipDay } from './delivery/ship-rules'
import { revenueCentsOf, type ShippingZone } from './delivery/zone-rules'
import { type ShippingZoneView, toZoneView } from './delivery/zone-view'
import { canonicalIdentifier, type DropState, dropState, isOver, relaunchAt } from './rules'

export type DropImageRow = { key: string; width: number; height: number; widths: number[]; placeholder: string }

/** One value of a drop's option with its stock. The quantity of a value of an open edition is the cap of the drop. */
export type OptionValueRow = { id: number; value: string; quantity: number; sold: number; held: number }

/**
 * How many people are on the waitlist: `unit` of them asked for a unit of the current run, and `nextRun` for news of a
 * later run or of a start. People who bought a unit that was offered to them do not count. `values` says how many
 * people asked for which value of the option. The others accept any value. `values` is absent when nobody asked for
 * one.
 */
export type Demand = { unit: number; nextRun: number; values?: { value: string; waiting: number }[] }

/** A drop with its seller and pictures, and the database's time at which it was read. */
export type DropRow = EarlyRow & {
  id: number
  uniqueId: string
  customSlug: string | null
  userId: number
  title: string
  description: string
  productType: ProductType
  condition: ItemCondition
  priceCents: number
  quantity: number
  sold: number
  held: number
  /** How many units one buyer may have, or null without a limit. */
  maxPerBuyer: number | null
  /** Whether each unit gets a number when it is sold. */
  isNumbered: boolean
  /** Whether the drop sells as many units as are ordered before its end; the quantity is then the cap. */
  isOpenEdition: boolean
  /** Whether each unit comes with a key. */
  hasKeys: boolean
  /** The counts of the drop's keys, or null without keys; only the queries for its seller read them. */
  keys?: KeyCounts | null
  /** The link that buyers of a digital drop get; only the queries for its seller and for administrators read it. */
  digitalFileUrl?: string | null
  /** The name of the file that buyers of a digital drop get; only the queries for its seller read it. */
  digitalFileName?: string | null
  /** The name of what buyers choose and its values in the seller's order, or null for a drop without an option. */
  option: { name: string; values: OptionValueRow[] } | null
  /** Whether the drop has a discount code that is neither ended nor expired. */
  hasCodes: boolean
  /** The sum that discount codes took off the orders of all runs, in cents. */
  discountedCents: number
  /** How long a run lasts, in hours. */
  duration: number
  startedAt: Date
  endTime: Date
  run: number
  shippingNote: string
  /** The country that parcels are sent from, and within how many days after the end; null without a promise. */
  shipsFrom: string | null
  shipsWithin: number | null
  /** The zones that parcels are sent to; null when the price includes shipping to all countries. */
  shippingZones: ShippingZone[] | null
  /** The surcharges for shipping that buyers paid in all runs, in cents; only the queries for its seller read them. */
  paidShippingCents?: number
  views: number
  purchases: number
  isActive: boolean
  isFeatured: boolean
  isPinned: boolean
  moderation: 'allowed' | 'review' | 'refused'
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
  images: DropImageRow[]
  sellerUsername: string | null
  sellerFirstName: string
  /** The time zone of the seller's settings, in which previews show times. */
  sellerTimezone: string
  sellerPlan: Plan
  sellerIsVerified: boolean
  sellerImageUrl: string | null
  isSellerSuspended: boolean
  /** Whether Stripe has checked the seller's payout account. */
  isSellerReady: boolean
  /**
   * Set only by limitToHome(): the price includes shipping everywhere, but this seller may ship only within one
   * country.
   */
  isHomeOnly?: boolean
  returnsAt: Date | null
  now: Date
  /** How many people are waiting for the drop; only the queries for its seller read it. */
  waiting?: Demand | undefined
  /** What is recorded about the drop's runs; only findShownDrop() reads it. */
  history?: HistoryRow | undefined
}

/**
 * How many keys of a drop are free, belong to an order, and were seen by a buyer whose price was then refunded. Spent
 * keys do not count as given (docs/product.md#keys).
 */
type KeyCounts = { left: number; given: number; spent: number }

export type DropImageView = {
  src: string
  srcSet: string
  /** The picture as AVIF in the width of a phone, for browsers that can show it; null when there is no such file. */
  phoneSrc: string | null
  width: number
  height: number
  placeholder: string
}

/** A drop's option as its buyers see it: the units of each value that are free, and those in checkout. */
export type OptionView = { name: string; values: { value: string; left: number; inCheckout: number }[] }

/**
 * The public fields of a drop. They contain no file, no email address and no Stripe id
 * (docs/product.md#what-public-answers-leave-out).
 */
export type DropView = EarlyView & {
  id: number
  uniqueId: string
  customSlug: string | null
  userId: number
  title: string
  description: string
  productType: DropRow['productType']
  /** In which condition the goods are; null for a drop that is not shipped. */
  condition: ItemCondition | null
  price: string
  priceCents: number
  /** The units of the run. Of an open edition this is the cap. */
  quantity: number
  /** Units that nobody has bought and nobody is paying for. */
  available: number
  inCheckout: number
  sold: number
  /** How many units the seller sells to one buyer, or null without a limit. */
  maxPerBuyer: number | null
  /** Whether each unit gets a number when it is sold (docs/product.md#numbered-editions). */
  isNumbered: boolean
  /** Whether the drop sells as many units as are ordered before its end (docs/product.md#open-editions). */
  isOpenEdition: boolean
  /** Whether each unit comes with a key, which only its buyer sees (docs/product.md#keys). */
  hasKeys: boolean
  /** The name of what buyers choose, and the units left of each value. Absent for a drop without an option. */
  option?: OptionView
  /** Whether the page asks for a discount code. */
  hasCodes: boolean
  duration: number
  startedAt: string
  endTime: string
  run: number
  shippingNote: string
  /** The code of the country that parcels are sent from, such as "DE"; null when the seller does not say. */
  shipsFrom: string | null
  /** Within how many days after the end parcels are sent, and the last such day, such as "2026-11-30". */
  shipsWithin: number | null
  shipsBy: string | null
  /** To which countries parcels are sent. Absent when the price includes shipping to all countries. */
  shippingZones?: ShippingZoneView[]
  imageUrls: string[]
  imageUrl: string | null
  images: DropImageView[]
  views: number
  purchases: number
  isActive: boolean
  isFeatured: boolean
  isPinned: boolean
  archivedAt: string | null
  canRelaunch: boolean
  /** When an ended drop is expected to be live again. It is a plan, not a promise. */
  returnsAt: string | null
  state: DropState
  identifier: string
  user: {
    username: string | null
    firstName: string
    plan: Plan
    isVerified: boolean
    profileImageUrl: string | null
  }
  /** What is recorded about the drop's runs; absent in lists (docs/product.md#history-of-a-drop). */
  history?: DropHistory
  /** The database's time at which the drop was read. Pages use it to correct for a wrong clock on the device. */
  serverTime: string
}

/** Returns the URL path of one width of a stored picture. */
export const imageSrc = (key: string, width: number): string => mediaPath(`${key}-${width}.webp`)

function nearestWidth(image: DropImageRow, wanted: number): number {
  return image.widths.find((width) => width >= wanted) ?? image.widths.at(-1) ?? image.width
}

/**
 * Returns the public view of a stored picture, with a URL for each stored width and a default width of about 1200
 * pixels.
 */
export function toImageView(image: DropImageRow): DropImageView {
  const forPhones = phonePhotoKey(image.key)
  return {
    src: imageSrc(image.key, nearestWidth(image, 1200)),
    srcSet: image.widths.map((width) => `${imageSrc(image.key, width)} ${width}w`).join(', '),
    phoneSrc: forPhones && mediaPath(forPhones),
    width: image.width,
    height: image.height,
    placeholder: image.placeholder,
  }
}

/**
 * Returns the public view of a drop. The view of a drop that is in review or was refused has a neutral title and no
 * description, shipping note, pictures, option or history, so that prohibited content is not shown in public
 * (docs/product.md#scanner).
 */
export function toDropView(row: DropRow): DropView {
  if (row.moderation === 'allowed') return describe(row)
  const withheld = { title: reviewTexts.publicTitle, description: '', shippingNote: '', images: [], option: null }
  return describe({ ...row, ...withheld, shipsFrom: null, shipsWithin: null, shippingZones: null, history: undefined })
}

/** Returns the promise about parcels. A product that is not shipped has none. */
function promiseOf({ productType, endTime, ...row }: DropRow): Pick<DropView, 'shipsFrom' | 'shipsWithin' | 'shipsBy'> {
  if (productType !== 'physical') return { shipsFrom: null, shipsWithin: null, shipsBy: null }
  const { shipsFrom, shipsWithin } = row
  return { shipsFrom, shipsWithin, shipsBy: shipsWithin === null ? null : shipDay(endTime, shipsWithin) }
}

/** @param all an open edition, whose values have as many units left as the drop; null for a limited edition */
function toOptionView({ name, values }: NonNullable<DropRow['option']>, all: DropRow | null): OptionView {
  return { name, values: values.map((v) => ({ value: v.value, left: freeUnits(all ?? v), inCheckout: v.held })) }
}

function describe(row: DropRow): DropView {
  const { now } = row
  const ended = isOver(row, now)
  const images = row.images.map(toImageView)
  return {
    id: row.id,
    uniqueId: row.uniqueId,
    customSlug: row.customSlug,
    userId: row.userId,
    title: row.title,
    description: row.description,
    productType: row.productType,
    condition: row.productType === 'physical' ? row.condition : null,
    price: toDecimal(row.priceCents),
    priceCents: row.priceCents,
    quantity: row.quantity,
    available: freeUnits(row),
    inCheckout: row.held,
    sold: row.sold,
    maxPerBuyer: row.maxPerBuyer,
    isNumbered: row.isNumbered,
    isOpenEdition: row.isOpenEdition,
    hasKeys: row.hasKeys,
    ...(row.option ? { option: toOptionView(row.option, row.isOpenEdition ? row : null) } : {}),
    hasCodes: row.hasCodes,
    duration: row.duration,
    startedAt: row.startedAt.toISOString(),
    endTime: row.endTime.toISOString(),
    ...toEarlyView(row, dropState(row, now)),
    run: row.run,
    shippingNote: row.shippingNote,
    ...promiseOf(row),
    ...(row.shippingZones ? { shippingZones: row.shippingZones.map(toZoneView) } : {}),
    imageUrls: images.map((image) => image.src),
    imageUrl: images[0]?.src ?? null,
    images,
    views: row.views,
    purchases: row.purchases,
    isActive: row.isActive && !ended,
    isFeatured: row.isFeatured,
    isPinned: row.isPinned,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    canRelaunch:
      ended && !row.isOpenEdition && row.moderation === 'allowed' && relaunchAt(row.endTime).getTime() <= now.getTime(),
    returnsAt: row.returnsAt?.toISOString() ?? null,
    state: dropState(row, now),
    identifier: canonicalIdentifier(row),
    user: {
      username: row.sellerUsername,
      firstName: row.sellerFirstName,
      plan: row.sellerPlan,
      isVerified: row.sellerIsVerified,
      profileImageUrl: row.sellerImageUrl,
    },
    ...(row.history ? { history: toDropHistory(row.history) } : {}),
    serverTime: now.toISOString(),
  }
}

/**
 * The public profile of a seller. `user` contains exactly these fields, whatever else the row has
 * (docs/contract.md#calls-anyone-may-make).
 */
export type ProfileView = {
  user: { username: string; firstName: string; plan: Plan }
  drops: Omit<DropView, 'serverTime'>[]
}

/** Returns the public profile of a seller with the given drops. Every other field of `user` is left out. */
export function toProfileView(user: ProfileView['user'], rows: readonly DropRow[]): ProfileView {
  const { username, firstName, plan } = user
  const drops = rows.map((row) => {
    const { serverTime: _, ...drop } = toDropView(row)
    return drop
  })
  return { user: { username, firstName, plan }, drops }
}

/**
 * What the seller sees: the public fields, the revenue, the demand, the early access, the stock of each value, the
 * keys, and the result of the moderation.
 */
export type SellerDropView = DropView & {
  revenueCents: number
  waiting: Demand
  /** The early access of this run; null if it has none. */
  early: SellerEarlyView | null
  /** The stock of each value of the drop's option. Empty without an option. */
  values: Omit<OptionValueRow, 'id'>[]
  /** The counts of the drop's keys; null for a drop without keys. */
  keys: KeyCounts | null
  /** The link that buyers of a digital drop get; null for an uploaded file, and for a drop that has neither. */
  digitalFileUrl: string | null
  /** The name of the uploaded file that buyers of a digital drop get; null for a link, and without either. */
  digitalFileName: string | null
  moderation: DropRow['moderation']
}

/** Returns the seller's view of a drop. Unlike toDropView() it shows the content in every state of the moderation. */
export function toSellerDropView(row: DropRow): SellerDropView {
  const values = (row.option?.values ?? []).map(({ value, quantity, sold, held }) => ({ value, quantity, sold, held }))
  return {
    ...describe(row),
    values,
    keys: row.keys ?? null,
    digitalFileUrl: row.digitalFileUrl ?? null,
    digitalFileName: row.digitalFileName ?? null,
    early: toSellerEarlyView(row),
    waiting: row.waiting ?? { unit: 0, nextRun: 0 },
    revenueCents: revenueCentsOf(row),
    moderation: row.moderation,
  }
}

/** Whether a custom link is available. */
export type SlugCheckView = { slug: string; available: boolean; message: string }
