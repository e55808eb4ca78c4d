import 'server-only'
import type { Context } from '@/lib/infra/context'

/** Marks an event as not handled, so that receiveStripeEvent() handles it again. Without this, it would be ignored. */
export async function reopenEvent(tx: Context, id: string): Promise<void> {
  await tx.db.webhookEvent.update({ where: { id }, data: { handledAt: null, outcome: null } })
}
