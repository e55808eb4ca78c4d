import 'server-only'
import { assertOwner } from '@/lib/accounts/guards'
import { lockOwnAccount } from '@/lib/accounts/lock-own-account'
import { type Context, transaction } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import type { UserActor } from '@/lib/kernel/actor'
import { platformError } from '@/lib/platform/messages'
import { recordAudit } from '@/lib/platform/record-audit'
import { findSellerDetails } from './queries'
import type { SellerDetailsInput } from './schema'

/** Each change adds a row that is kept, so the number of changes is limited. */
const changes: RateLimit = { name: 'seller-details', points: 20, windowSeconds: 24 * 60 * 60 }

const NO_BUSINESS = { legalName: '', address: '', email: '', phone: '', register: '', vatId: '', isCertified: false }

/**
 * Stores what a seller states about themselves (docs/product.md#seller-details). A change is a new row, because the
 * pages of earlier orders keep showing what their buyers saw. Nothing is written when nothing changed. The audit log
 * gets only the kind and the country, because its entries are never deleted and a name is personal data.
 * @throws PROOF_REQUIRED, WRONG_PASSWORD, TOO_MANY_REQUESTS, NOT_SIGNED_IN
 */
export async function saveSellerDetails(
  ctx: Context<UserActor>,
  { password, ...given }: SellerDetailsInput,
): Promise<void> {
  const { userId } = ctx.actor
  const details = given.kind === 'business' ? given : { ...given, ...NO_BUSINESS }
  const before = await findSellerDetails(ctx.db, userId)
  const names = Object.keys(details) as (keyof typeof details)[]
  if (before && names.every((name) => before[name] === details[name])) return
  await assertOwner(ctx, password)
  const retryAfterSeconds = await consume(changes, String(userId))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  await transaction(ctx, async (tx) => {
    // Closing an account takes the same lock, so that no details are added to a closed account.
    await lockOwnAccount(tx)
    await tx.db.sellerDetails.create({ data: { ...details, userId } })
    await recordAudit(tx, {
      action: 'user.details',
      targetType: 'user',
      targetId: userId,
      before: { kind: before?.kind ?? null, country: before?.country ?? null },
      after: { kind: details.kind, country: details.country },
    })
  })
}
