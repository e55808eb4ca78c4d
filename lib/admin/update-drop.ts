import 'server-only'
import type { Drop } from '@prisma/client'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { areKeysTaken } from '@/lib/drops/keys/are-keys-taken'
import { limitToKeys } from '@/lib/drops/keys/limit-to-keys'
import { changeDrop } from '@/lib/drops/history/change-drop'
import { endRun } from '@/lib/drops/end-run'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import { auditedValues, recordAudit } from '@/lib/platform/record-audit'
import { overturnRefusal } from '@/lib/trust/overturn-refusal'
import { adminError } from './messages'
import { dropChange, isWithdrawn, stopsSelling } from './rules'
import type { UpdateDropInput } from './schema'

/** The reason that buyers read for each action that changes the end of a run. */
const CHANGE_REASONS = { extend: 'extended', end: 'ended', archive: 'withdrawn', restore: 'restored' } as const

/**
 * Changes a drop for an administrator: promotes, pauses, extends, ends, archives or restores it
 * (docs/product.md#changing-a-drop). The row is locked, so that changes by two administrators happen one after the
 * other. Archiving or pausing a drop also closes its unpaid checkouts. Ending, archiving and pausing need a recent
 * second factor.
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED, DROP_NOT_FOUND, DROP_OVER, HOURS_REQUIRED, SELLER_GONE,
 *   EDITION_CLOSED, KEYS_TAKEN, OPEN_EDITION_END, OPEN_EDITION_CLOSED
 */
export async function updateDrop(ctx: Context<UserActor>, dropId: number, input: UpdateDropInput): Promise<void> {
  if (stopsSelling(input)) assertSteppedUp(ctx)
  await transaction(ctx, async (tx) => {
    // Undoing a refusal changes the seller's strikes, so the seller's row is locked, too. It is locked before the
    // drop's row, because every transaction must lock the two rows in this order.
    if (input.action === 'restore') {
      const [seller] = await tx.db.$queryRaw<{ isGone: boolean }[]>`
        SELECT u."deletedAt" IS NOT NULL AS "isGone" FROM "User" u JOIN "Drop" d ON d."userId" = u."id"
         WHERE d."id" = ${dropId} FOR NO KEY UPDATE OF u`
      // A deleted seller would not deliver what buyers pay for.
      if (seller?.isGone) throw adminError('SELLER_GONE')
    }
    const { drop, now } = await lockDrop(tx, dropId)
    if (drop.hiddenAt && input.action !== 'restore') throw adminError('DROP_NOT_FOUND')
    if (input.action === 'restore' && wasShownClosed(drop)) throw adminError('OPEN_EDITION_CLOSED')
    const isTaken = input.action === 'restore' && (await areKeysTaken(tx, dropId))
    const change = dropChange({ ...drop, areKeysTaken: isTaken }, input, now)
    if (typeof change === 'string') throw adminError(change)
    if (drop.isOpenEdition && change.endTime && change.endTime > drop.endTime) {
      throw adminError(drop.endTime <= now ? 'OPEN_EDITION_CLOSED' : 'OPEN_EDITION_END')
    }
    if (drop.endTime <= now && change.endTime && (await hasGivenNumbers(tx, drop))) throw adminError('EDITION_CLOSED')
    if (input.action === 'restore') await limitToKeys(tx, drop)
    if (input.action === 'end' && change.endTime) await endRun(tx, { ...drop, now }, change)
    else await changeDrop(tx, drop, change, input.action ? CHANGE_REASONS[input.action] : 'extended')
    if (input.action === 'archive') await recallStartMails(tx, [dropId])
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

/**
 * Whether the page of an open edition said that it is closed forever, because the edition was archived while it could
 * be seen. A removed one showed nothing, so it can be restored with its time left.
 */
const wasShownClosed = ({ isOpenEdition, archivedAt, hiddenAt }: Drop): boolean =>
  isOpenEdition && archivedAt !== null && (hiddenAt === null || archivedAt < hiddenAt)

/** Whether units of the drop's current run have numbers. Their total is final once the run has ended. */
const hasGivenNumbers = async ({ db }: Context, { id: dropId, run, isNumbered }: Drop): Promise<boolean> =>
  isNumbered && (await db.editionNumber.count({ where: { dropId, run } })) > 0

/**
 * Locks a drop's row and returns the drop with the database's time.
 * @throws DROP_NOT_FOUND
 */
export async function lockDrop(tx: Context, dropId: number): Promise<{ drop: Drop; now: Date }> {
  const [clock] = await tx.db.$queryRaw<{ now: Date }[]>`
    SELECT now() AS "now" FROM "Drop" WHERE "id" = ${dropId} FOR NO KEY UPDATE`
  const drop = clock && (await tx.db.drop.findUnique({ where: { id: dropId } }))
  if (!drop) throw adminError('DROP_NOT_FOUND')
  return { drop, now: clock.now }
}
