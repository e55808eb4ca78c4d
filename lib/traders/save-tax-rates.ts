import 'server-only'
import { lockOwnAccount } from '@/lib/accounts/lock-own-account'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { readTaxRates, type TaxRatesInput } from './schema'

/**
 * Replaces the VAT rates of a seller (docs/product.md#tax-report).
 * @throws INVALID_INPUT, NOT_SIGNED_IN
 */
export async function saveTaxRates(ctx: Context<UserActor>, { rates: typed }: TaxRatesInput): Promise<void> {
  const { userId } = ctx.actor
  const rates = readTaxRates(typed)
  if (typeof rates === 'string') throw platformError('INVALID_INPUT', { text: rates, field: 'rates' })
  await transaction(ctx, async (tx) => {
    // Without the lock, two forms that are sent at the same time would both delete the old rows, and then both would
    // add the same country. Closing an account takes the same lock, so that no rates are added to a closed account.
    await lockOwnAccount(tx)
    await tx.db.taxRate.deleteMany({ where: { userId } })
    await tx.db.taxRate.createMany({ data: rates.map((rate) => ({ ...rate, userId })) })
  })
}
