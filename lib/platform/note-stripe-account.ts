import 'server-only'
import type { Context } from '@/lib/infra/context'

/** Stripe uses one id for both modes of an account, so an account whose keys were test keys is marked. */
const TEST_MODE = ' (test mode)'

/**
 * Records the Stripe account and the mode that our keys belong to, if none is recorded yet, or if only its test mode is
 * recorded and our keys are live now. Call it after Stripe has returned a connected account of a seller, because that
 * account belongs to the same platform. The stand-in's account is not recorded.
 */
export async function noteStripeAccount(ctx: Context): Promise<void> {
  if (ctx.payments !== 'live') return
  const known = await findStripeAccount(ctx)
  if (known !== null && !(ctx.takesRealMoney && known.endsWith(TEST_MODE))) return
  const id = await readStripeAccount(ctx)
  // Prisma would also set `updatedAt`, which is the time of the last pause of new purchases.
  await ctx.sql(
    'note-stripe-account',
    `UPDATE "PlatformSettings" SET "stripeAccountId" = :id
      WHERE "id" = 1 AND ("stripeAccountId" IS NULL OR "stripeAccountId" = :known)`,
    { id, known },
  )
}

/**
 * Whether our keys belong to the Stripe account whose objects this database knows. With the keys of another account,
 * Stripe knows none of the connected accounts and customers, although each of them still exists. The same applies to
 * test keys after live keys, for example when a copy of the database runs elsewhere. Live keys after test keys count as
 * the same account, because the objects of the test mode are of no use anymore.
 * @returns `unknown` while no connected account has been read with any keys
 */
export async function compareStripeAccount(ctx: Context): Promise<'same' | 'other' | 'unknown'> {
  if (ctx.payments !== 'live') return 'same'
  const known = await findStripeAccount(ctx)
  if (known === null) return 'unknown'
  const current = await readStripeAccount(ctx)
  const hasGoneLive = ctx.takesRealMoney && known === `${current}${TEST_MODE}`
  return known === current || hasGoneLive ? 'same' : 'other'
}

async function readStripeAccount(ctx: Context): Promise<string> {
  const { id } = await ctx.stripe().accounts.retrieveCurrent()
  return ctx.takesRealMoney ? id : `${id}${TEST_MODE}`
}

async function findStripeAccount({ db }: Context): Promise<string | null> {
  const settings = await db.platformSettings.findUnique({ where: { id: 1 }, select: { stripeAccountId: true } })
  return settings?.stripeAccountId ?? null
}
