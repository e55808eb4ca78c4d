import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Records the Stripe account that our keys belong to, if none is recorded yet. Call it after Stripe has returned a
 * connected account of a seller, because that account belongs to the same platform. The stand-in's account is not
 * recorded.
 */
export async function noteStripeAccount(ctx: Context): Promise<void> {
  if (ctx.payments !== 'live' || (await findStripeAccount(ctx)) !== null) return
  const { id } = await ctx.stripe().accounts.retrieveCurrent()
  // Prisma would also set `updatedAt`, which is the time of the last pause of new purchases.
  await ctx.sql(
    'note-stripe-account',
    `UPDATE "PlatformSettings" SET "stripeAccountId" = :id WHERE "id" = 1 AND "stripeAccountId" IS NULL`,
    { id },
  )
}

/**
 * Whether our keys belong to another Stripe account than the one whose connected accounts this database knows. Stripe
 * then knows none of these accounts, although each of them still exists.
 */
export async function isOtherStripeAccount(ctx: Context): Promise<boolean> {
  const known = await findStripeAccount(ctx)
  return ctx.payments === 'live' && known !== null && (await ctx.stripe().accounts.retrieveCurrent()).id !== known
}

async function findStripeAccount({ db }: Context): Promise<string | null> {
  const settings = await db.platformSettings.findUnique({ where: { id: 1 }, select: { stripeAccountId: true } })
  return settings?.stripeAccountId ?? null
}
