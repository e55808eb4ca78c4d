import 'server-only'
import type { User } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { recordAudit } from '@/lib/platform/record-audit'

/** Writes the plan that follows from the state at Stripe, in the transaction that records the state. */
export async function changePlan(tx: Context, user: User, isPro: boolean): Promise<void> {
  const plan = isPro ? 'pro' : 'free'
  await tx.db.user.update({ where: { id: user.id }, data: { plan, planIntent: null } })
  // The plan may already be right. A deleted account, for example, is on the free plan.
  if (user.plan === plan) return
  await recordAudit(tx, {
    by: { actorId: user.id, actorKind: 'stripe' },
    action: isPro ? 'plan.pro' : 'plan.free',
    targetType: 'user',
    targetId: user.id,
    before: { plan: user.plan },
    after: { plan },
  })
}
