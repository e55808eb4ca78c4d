import 'server-only'
import { lockUser } from '@/lib/accounts/lock-user'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { readTaxRates, type TaxRatesInput } from './schema'

/** Replaces the VAT rates of a seller (docs/product.md#tax-report). */
export async function saveTaxRates(ctx: Context<UserActor>, { rates: typed }: TaxRatesInput): Promise<void> {
  const { userId } = ctx.actor
  const rates = readTaxRates(typed)
  if (typeof rates === 'string') throw platformError('INVALID_INPUT', { text: rates, field: 'rates' })
  await transaction(ctx, async (tx) => {
    // Two forms that are sent at the same time would otherwise both delete the old rows and then both add the same
    // country.
    await lockUser(tx, userId)
    await tx.db.user.findFirstOrThrow({ where: { id: userId, deletedAt: null }, select: { id: true } })
    await tx.db.taxRate.deleteMany({ where: { userId } })
    await tx.db.taxRate.createMany({ data: rates.map((rate) => ({ ...rate, userId })) })
  })
}
