import { z } from 'zod/mini'
import { plans } from '@/lib/kernel/plan'
import { productTypes } from '@/lib/kernel/product-type'
import { visitSources } from './rules'
import type { DiscountCodeView } from './code-view'
import type { AnalyticsView, DropImageView, DropView, ProfileView, SellerDropView, SlugCheckView } from './view'

/** The schemas of this folder's views, for the OpenAPI document (docs/contract.md#document). */

const imageView = z.object({
  src: z.string(),
  srcSet: z.string(),
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

export const dropView = z.object({
  id: z.int(),
  uniqueId: z.string(),
  customSlug: z.nullable(z.string()),
  userId: z.int(),
  title: z.string(),
  description: z.string(),
  productType: z.enum(productTypes),
  price: z.string().check(z.regex(/^\d+\.\d\d$/)),
  priceCents: z.int(),
  quantity: z.int(),
  available: z.int().check(z.minimum(0)),
  inCheckout: z.int().check(z.minimum(0)),
  sold: z.int().check(z.minimum(0)),
  duration: z.int(),
  startedAt: z.iso.datetime(),
  endTime: z.iso.datetime(),
  run: z.int(),
  shippingNote: z.string(),
  maxPerBuyer: z.nullable(z.int()),
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
  state: z.enum(['scheduled', 'live', 'soldOut', 'ended', 'paused']),
  identifier: z.string(),
  user: ownerView,
  serverTime: z.iso.datetime(),
}) satisfies z.ZodMiniType<DropView>

const valueStock = z.object({ value: z.string(), quantity: z.int(), sold: z.int(), held: z.int() })

export const profileView = z.object({
  user: z.object({ username: z.string(), firstName: z.string(), plan: z.enum(plans) }),
  drops: z.array(z.omit(dropView, { serverTime: true })),
}) satisfies z.ZodMiniType<ProfileView>

export const sellerDropView = z.extend(dropView, {
  revenueCents: z.int(),
  values: z.array(valueStock),
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
  values: z.array(valueStock),
  hours: z.array(z.extend(steps, { at: z.iso.datetime() })),
  sources: z.array(z.extend(steps, { source: z.enum(visitSources) })),
  serverTime: z.iso.datetime(),
}) satisfies z.ZodMiniType<AnalyticsView>
