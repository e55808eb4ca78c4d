import 'server-only'
import type { Drop } from '@prisma/client'
import { changeDrop } from '@/lib/drops/change-drop'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/orders/close-open-checkouts'
import { auditedValues, recordAudit } from '@/lib/platform/record-audit'
import { overturnRefusal } from '@/lib/trust/overturn-refusal'
import { adminError } from './messages'
import { dropChange, isWithdrawn } from './rules'
import type { UpdateDropInput } from './schema'

/**
 * An administrator changes a drop: flags, more time, its end, or its restoration (docs/product.md#changing-a-drop). The
 * row is locked, so that changes by two administrators happen one after the other.
 * @throws DROP_NOT_FOUND, DROP_OVER, HOURS_REQUIRED, SELLER_GONE
 */
export async function updateDrop(ctx: Context<UserActor>, dropId: number, input: UpdateDropInput): Promise<void> {
  await transaction(ctx, async (tx) => {
    // Undoing a refusal changes the seller's strikes, and the seller's row is locked before the drop's.
    if (input.action === 'restore') {
      const [seller] = await tx.db.$queryRaw<{ isGone: boolean }[]>`
        SELECT u."deletedAt" IS NOT NULL AS "isGone" FROM "User" u JOIN "Drop" d ON d."userId" = u."id"
         WHERE d."id" = ${dropId} FOR NO KEY UPDATE OF u`
      // The seller is gone, so nobody would deliver what is bought.
      if (seller?.isGone) throw adminError('SELLER_GONE')
    }
    const { drop, now } = await lockDrop(tx, dropId)
    if (drop.hiddenAt && input.action !== 'restore') throw adminError('DROP_NOT_FOUND')
    const change = dropChange(drop, input, now)
    if (typeof change === 'string') throw adminError(change)
    await changeDrop(tx, drop, change)
    const strikesTakenBack = change.moderation ? await overturnRefusal(tx, drop, ctx.requestId) : 0
    const changed = Object.keys(change) as (keyof typeof change)[]
    await recordAudit(tx, {
      action: input.action ? `drop.${input.action}` : 'drop.update',
      targetType: 'drop',
      targetId: dropId,
      before: auditedValues(drop, changed),
      after: {
        ...auditedValues({ ...drop, ...change }, changed),
        ...(input.hours ? { hours: input.hours } : {}),
        ...(strikesTakenBack > 0 ? { strikesTakenBack } : {}),
      },
    })
  })
  if (isWithdrawn(input)) await closeOpenCheckouts(ctx, { dropId })
}

/** @throws DROP_NOT_FOUND */
export async function lockDrop(tx: Context, dropId: number): Promise<{ drop: Drop; now: Date }> {
  const [clock] = await tx.db.$queryRaw<{ now: Date }[]>`
    SELECT now() AS "now" FROM "Drop" WHERE "id" = ${dropId} FOR NO KEY UPDATE`
  const drop = clock && (await tx.db.drop.findUnique({ where: { id: dropId } }))
  if (!drop) throw adminError('DROP_NOT_FOUND')
  return { drop, now: clock.now }
}
