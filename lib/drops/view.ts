import { toDecimal } from '@/lib/kernel/money'
import type { Plan } from '@/lib/kernel/plan'
import type { ProductType } from '@/lib/kernel/product-type'
import { reviewTexts } from '@/lib/moderation/messages'
import { freeUnits } from '@/lib/stock/rules'
import { canonicalIdentifier, type DropState, dropState, isOver, relaunchAt, type VisitSource } from './rules'

export type DropImageRow = { key: string; width: number; height: number; widths: number[]; placeholder: string }

/** One value of a drop's option with its stock. */
export type OptionValueRow = { id: number; value: string; quantity: number; sold: number; held: number }

/** A drop with its seller and pictures, and the database's time at which it was read. */
export type DropRow = {
  id: number
  uniqueId: string
  customSlug: string | null
  userId: number
  title: string
  description: string
  productType: ProductType
  priceCents: number
  quantity: number
  sold: number
  held: number
  /** How many units one buyer may have; null without a limit. */
  maxPerBuyer: number | null
  /** What buyers choose, with its values in the seller's sequence; null for a drop without options. */
  option: { name: string; values: OptionValueRow[] } | null
  /** Whether it has a discount code that is not over. */
  hasCodes: boolean
  /** What discount codes took off the orders of all runs, in cents. */
  discountedCents: number
  /** How long a run lasts, in hours. */
  duration: number
  startedAt: Date
  endTime: Date
  run: number
  shippingNote: string
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
  sellerPlan: Plan
  sellerIsVerified: boolean
  sellerImageUrl: string | null
  isSellerSuspended: boolean
  returnsAt: Date | null
  now: Date
}

export type DropImageView = { src: string; srcSet: string; width: number; height: number; placeholder: string }

/** A drop's option as its buyers see it: the units of each value that are free, and those in checkout. */
export type OptionView = { name: string; values: { value: string; left: number; inCheckout: number }[] }

/**
 * The public fields of a drop: no file, no email address, no Stripe id (docs/product.md#what-public-answers-leave-out).
 */
export type DropView = {
  id: number
  uniqueId: string
  customSlug: string | null
  userId: number
  title: string
  description: string
  productType: DropRow['productType']
  price: string
  priceCents: number
  quantity: number
  /** Units that nobody has bought and nobody is paying for. */
  available: number
  inCheckout: number
  sold: number
  /** How many units the seller sells to one buyer; null without a limit. */
  maxPerBuyer: number | null
  /** What buyers choose, with what is left of each value; absent for a drop without options. */
  option?: OptionView
  /** Whether the page asks for a discount code. */
  hasCodes: boolean
  duration: number
  startedAt: string
  endTime: string
  run: number
  shippingNote: string
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
  /** The database's time of this answer, which corrects a wrong clock on the phone. */
  serverTime: string
}

/** The address of one width of a stored picture. */
export function imageSrc(key: string, width: number): string {
  return `/media/${key}-${width}.webp`
}

function nearestWidth(image: DropImageRow, wanted: number): number {
  return image.widths.find((width) => width >= wanted) ?? image.widths.at(-1) ?? image.width
}

/**
 * The public view of a stored picture: an address for each stored width, and one of about 1200 pixels as the default.
 */
export function toImageView(image: DropImageRow): DropImageView {
  return {
    src: imageSrc(image.key, nearestWidth(image, 1200)),
    srcSet: image.widths.map((width) => `${imageSrc(image.key, width)} ${width}w`).join(', '),
    width: image.width,
    height: image.height,
    placeholder: image.placeholder,
  }
}

/**
 * The public view of a drop. A drop that is in review or was refused reveals none of its content, so that prohibited
 * content is not shown anywhere in public (docs/product.md#scanner).
 */
export function toDropView(row: DropRow): DropView {
  if (row.moderation === 'allowed') return describe(row)
  const withheld = { title: reviewTexts.publicTitle, description: '', shippingNote: '', images: [], option: null }
  return describe({ ...row, ...withheld })
}

function toOptionView({ name, values }: NonNullable<DropRow['option']>): OptionView {
  return { name, values: values.map((row) => ({ value: row.value, left: freeUnits(row), inCheckout: row.held })) }
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
    price: toDecimal(row.priceCents),
    priceCents: row.priceCents,
    quantity: row.quantity,
    available: freeUnits(row),
    inCheckout: row.held,
    sold: row.sold,
    maxPerBuyer: row.maxPerBuyer,
    ...(row.option ? { option: toOptionView(row.option) } : {}),
    hasCodes: row.hasCodes,
    duration: row.duration,
    startedAt: row.startedAt.toISOString(),
    endTime: row.endTime.toISOString(),
    run: row.run,
    shippingNote: row.shippingNote,
    imageUrls: images.map((image) => image.src),
    imageUrl: images[0]?.src ?? null,
    images,
    views: row.views,
    purchases: row.purchases,
    isActive: row.isActive && !ended,
    isFeatured: row.isFeatured,
    isPinned: row.isPinned,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    canRelaunch: ended && row.moderation === 'allowed' && relaunchAt(row.endTime).getTime() <= now.getTime(),
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
    serverTime: now.toISOString(),
  }
}

/**
 * The public profile shows exactly these fields of a person, whatever else the row holds
 * (docs/contract.md#calls-anyone-may-make).
 */
export type ProfileView = {
  user: { username: string; firstName: string; plan: Plan }
  drops: Omit<DropView, 'serverTime'>[]
}

/** The public profile of a seller with the given drops; every other field of `user` is left out. */
export function toProfileView(user: ProfileView['user'], rows: readonly DropRow[]): ProfileView {
  const { username, firstName, plan } = user
  const drops = rows.map((row) => {
    const { serverTime: _, ...drop } = toDropView(row)
    return drop
  })
  return { user: { username, firstName, plan }, drops }
}

/** What the seller sees in addition to the public fields: the revenue, in cents, and the result of the moderation. */
export type SellerDropView = DropView & {
  revenueCents: number
  /** The stock of each value of the drop's option; empty without options. */
  values: Omit<OptionValueRow, 'id'>[]
  moderation: DropRow['moderation']
}

/** The seller's view of a drop. Unlike toDropView() it shows the content in every state of the moderation. */
export function toSellerDropView(row: DropRow): SellerDropView {
  const values = (row.option?.values ?? []).map(({ value, quantity, sold, held }) => ({ value, quantity, sold, held }))
  return { ...describe(row), values, revenueCents: revenueCentsOf(row), moderation: row.moderation }
}

/** What buyers paid for all purchases: their price less the discounts of codes (docs/product.md#live-analytics). */
export function revenueCentsOf(row: Pick<DropRow, 'purchases' | 'priceCents' | 'discountedCents'>): number {
  return row.purchases * row.priceCents - row.discountedCents
}

/** Whether a custom link is available. */
export type SlugCheckView = { slug: string; available: boolean; message: string }

/** The steps from a view to a sale: views, presses on Buy, checkouts, and checkouts that were paid. */
export type Steps = { views: number; taps: number; holds: number; paid: number }

/**
 * Live Analytics (docs/product.md#live-analytics): the totals of all runs, and the current run by hour and by the
 * source of the visits.
 */
export type AnalyticsView = {
  dropId: number
  views: number
  purchases: number
  /** Purchases divided by views, "12.5%". */
  conversion: string
  revenue: string
  revenueCents: number
  run: Steps
  /**
   * Of the current run. `open`: checkouts that are open. `expired`: checkouts that ended because their buyer did not
   * pay. `refused`: presses on Buy that got no units although some were unsold, or had to do work first.
   */
  checkouts: { open: number; expired: number; refused: number }
  /** The stock of each value of the drop's option in the current run; empty without options. */
  values: Omit<OptionValueRow, 'id'>[]
  hours: (Steps & { at: string })[]
  sources: (Steps & { source: VisitSource })[]
  serverTime: string
}
