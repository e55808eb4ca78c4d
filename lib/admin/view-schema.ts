import { z } from 'zod/mini'
import { maxItems } from '@/lib/kernel/max-characters'
import { userView } from '@/lib/accounts/view-schema'
import { ownerView, sellerDropView } from '@/lib/drops/view-schema'
import type {
  AdminDropView,
  AdminStatsView,
  AdminUserDetailView,
  AdminUserView,
  SearchHitView,
  SearchView,
} from './view'

/** The schemas of this folder's views, for the OpenAPI document (docs/contract.md#document). */

export const adminUserView = z.extend(userView, {
  suspendedUntil: z.nullable(z.iso.datetime()),
  suspensionReason: z.nullable(z.string()),
  payoutsStoppedUntil: z.nullable(z.iso.datetime()),
  isDeleted: z.boolean(),
}) satisfies z.ZodMiniType<AdminUserView>

export const adminUserDetailView = z.extend(adminUserView, {
  paidOutCents: z.int(),
  debtCents: z.int(),
}) satisfies z.ZodMiniType<AdminUserDetailView>

export const adminDropView = z.extend(sellerDropView, {
  user: z.extend(ownerView, { id: z.int(), email: z.string() }),
  isRemoved: z.boolean(),
}) satisfies z.ZodMiniType<AdminDropView>

export const adminStatsView = z.object({
  totalUsers: z.int(),
  activeDrops: z.int(),
  totalOrders: z.int(),
  totalViews: z.int(),
}) satisfies z.ZodMiniType<AdminStatsView>

const searchHit = z.object({
  label: z.string(),
  detail: z.string(),
  href: z.string(),
}) satisfies z.ZodMiniType<SearchHitView>
const searchHits = z.array(searchHit).check(maxItems(5))

export const searchView = z.object({
  users: searchHits,
  drops: searchHits,
  orders: searchHits,
  payouts: searchHits,
  disputes: searchHits,
}) satisfies z.ZodMiniType<SearchView>
