import { z } from 'zod/mini'
import { itemConditions } from '@/lib/kernel/item-condition'
import { plans } from '@/lib/kernel/plan'
import { productTypes } from '@/lib/kernel/product-type'
import { historyKinds } from './history/history-messages'
import { runChangeReasons } from './history/history-rules'
import type { DropHistory, RunChange } from './history/history-view'
import { visitSources } from './rules'
import type { DiscountCodeView } from './codes/code-view'
import type { AnalyticsView } from './analytics/analytics-view'
import type { DropImageView, DropView, ProfileView, SellerDropView, SlugCheckView } from './view'

/** The schemas of this folder's views, for the OpenAPI document (docs/contract.md#document). */

const imageView = z.object({
  src: z.string(),
  srcSet: z.string(),
  phoneSrc: z.nullable(z.string()),
  width: z.int(),
  height: z.int(),
  placeholder: z.string(),
}) satisfies z.ZodMiniType<DropImageView>

export const ownerView = z.object({
  username: z.nullable(z.string()),
  firstName: z.string(),
  plan: z.enum(plans),
  isVerified: z.boolean(),
  profileImageUrl: z.nullable(z.string()),
}) satisfies z.ZodMiniType<DropView['user']>

const runChange = z.object({
  reason: z.enum(runChangeReasons),
  by: z.enum(['seller', 'platform']),
  startMs: z.int(),
  endMs: z.int(),
  units: z.int(),
  startMoves: z.int(),
  endMoves: z.int(),
  unitMoves: z.int(),
  at: z.iso.datetime(),
  optionName: z.optional(z.string()),
  values: z.optional(z.array(z.object({ value: z.string(), before: z.nullable(z.int()), after: z.nullable(z.int()) }))),
}) satisfies z.ZodMiniType<RunChange>

const earlySales = z.object({ minutes: z.int(), sold: z.int() })

const historyView = z.object({
  isRecorded: z.boolean(),
  sold: z.int(),
  previous: z.nullable(
    z.object({
      run: z.int(),
      quantity: z.int(),
      sold: z.int(),
      refunded: z.int(),
      startedAt: z.iso.datetime(),
      endTime: z.iso.datetime(),
      soldOutAt: z.nullable(z.iso.datetime()),
      early: z.optional(z.nullable(earlySales)),
    }),
  ),
  returnsAt: z.nullable(z.iso.datetime()),
  isReturnSure: z.boolean(),
  changes: z.array(runChange),
  early: z.optional(z.nullable(earlySales)),
}) satisfies z.ZodMiniType<DropHistory>

export const dropView = z.object({
  id: z.int(),
  uniqueId: z.string(),
  customSlug: z.nullable(z.string()),
  userId: z.int(),
  title: z.string(),
  description: z.string(),
  productType: z.enum(productTypes),
  condition: z.nullable(z.enum(itemConditions)),
  price: z.string().check(z.regex(/^\d+\.\d\d$/)),
  priceCents: z.int(),
  quantity: z.int(),
  available: z.int().check(z.minimum(0)),
  inCheckout: z.int().check(z.minimum(0)),
  sold: z.int().check(z.minimum(0)),
  duration: z.int(),
  startedAt: z.iso.datetime(),
  endTime: z.iso.datetime(),
  earlyStartsAt: z.nullable(z.iso.datetime()),
  publicUnits: z.nullable(z.int()),
  earlyLeft: z.nullable(z.int()),
  run: z.int(),
  shippingNote: z.string(),
  shipsFrom: z.nullable(z.string()),
  shipsWithin: z.nullable(z.int()),
  shipsBy: z.nullable(z.iso.date()),
  shippingZones: z.optional(
    z.array(z.object({ surcharge: z.string(), surchargeCents: z.int(), countries: z.array(z.string()) })),
  ),
  maxPerBuyer: z.nullable(z.int()),
  isNumbered: z.boolean(),
  isOpenEdition: z.boolean(),
  hasKeys: z.boolean(),
  option: z.optional(
    z.object({
      name: z.string(),
      values: z.array(
        z.object({ value: z.string(), left: z.int().check(z.minimum(0)), inCheckout: z.int().check(z.minimum(0)) }),
      ),
    }),
  ),
  hasCodes: z.boolean(),
  imageUrls: z.array(z.string()),
  imageUrl: z.nullable(z.string()),
  images: z.array(imageView),
  views: z.int(),
  purchases: z.int(),
  isActive: z.boolean(),
  isFeatured: z.boolean(),
  isPinned: z.boolean(),
  archivedAt: z.nullable(z.iso.datetime()),
  canRelaunch: z.boolean(),
  returnsAt: z.nullable(z.iso.datetime()),
  state: z.enum(['upcoming', 'live', 'soldOut', 'ended', 'paused']),
  identifier: z.string(),
  history: z.optional(historyView),
  user: ownerView,
  serverTime: z.iso.datetime(),
}) satisfies z.ZodMiniType<DropView>

/** The answer of the call about one drop, with the facts of the line under its clock. */
export const shownDropView = z.extend(dropView, {
  startsAt: z.iso.datetime(),
  facts: z.array(z.object({ kind: z.enum(historyKinds), text: z.string(), at: z.nullable(z.iso.datetime()) })),
})

const valueStock = z.object({ value: z.string(), quantity: z.int(), sold: z.int(), held: z.int() })

export const profileView = z.object({
  user: z.object({ username: z.string(), firstName: z.string(), plan: z.enum(plans) }),
  drops: z.array(z.omit(dropView, { serverTime: true })),
}) satisfies z.ZodMiniType<ProfileView>

export const sellerDropView = z.extend(dropView, {
  revenueCents: z.int(),
  waiting: z.object({
    unit: z.int(),
    nextRun: z.int(),
    values: z.optional(z.array(z.object({ value: z.string(), waiting: z.int() }))),
  }),
  early: z.nullable(z.object({ minutes: z.int(), units: z.int(), taken: z.int() })),
  values: z.array(valueStock),
  keys: z.nullable(z.object({ left: z.int(), given: z.int(), spent: z.int() })),
  digitalFileUrl: z.nullable(z.string()),
  digitalFileName: z.nullable(z.string()),
  moderation: z.enum(['allowed', 'review', 'refused']),
}) satisfies z.ZodMiniType<SellerDropView>

export const discountCodeView = z.object({
  id: z.int(),
  code: z.string(),
  percent: z.nullable(z.int()),
  offCents: z.nullable(z.int()),
  unitPriceCents: z.int(),
  maxUses: z.nullable(z.int()),
  perBuyer: z.nullable(z.int()),
  endsAt: z.nullable(z.iso.datetime()),
  used: z.int(),
  discountedCents: z.int(),
  state: z.enum(['active', 'usedUp', 'over', 'ended']),
  createdAt: z.iso.datetime(),
}) satisfies z.ZodMiniType<DiscountCodeView>

export const slugCheckView = z.object({
  slug: z.string(),
  available: z.boolean(),
  message: z.string(),
}) satisfies z.ZodMiniType<SlugCheckView>

const steps = z.object({ views: z.int(), taps: z.int(), holds: z.int(), paid: z.int() })

export const analyticsView = z.object({
  dropId: z.int(),
  views: z.int(),
  purchases: z.int(),
  conversion: z.string(),
  revenue: z.string(),
  revenueCents: z.int(),
  run: steps,
  checkouts: z.object({ open: z.int(), expired: z.int(), refused: z.int() }),
  isOpenEdition: z.boolean(),
  values: z.array(valueStock),
  hours: z.array(z.extend(steps, { at: z.iso.datetime() })),
  sources: z.array(z.extend(steps, { source: z.enum(visitSources) })),
  serverTime: z.iso.datetime(),
}) satisfies z.ZodMiniType<AnalyticsView>
