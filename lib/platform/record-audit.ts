import 'server-only'
import type { Prisma } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { toWellFormed } from '@/lib/kernel/text'

/** One act: the kind of act, its target, and the values that it changed. */
export type AuditedAct = {
  /** `user.update`, `drop.extend`, `platform.pause` … */
  action: string
  targetType: 'user' | 'drop' | 'order' | 'platform' | 'webhook' | 'review' | 'appeal'
  targetId: string | number
  before?: Prisma.InputJsonObject
  after?: Prisma.InputJsonObject
  /** Who acted, if it was not the actor of the context: a user whose plan Stripe changed, for example. */
  by?: { actorId: number; actorKind: 'stripe' }
}

/**
 * Records an act in the same transaction as the act, so that neither exists without the other. The row
 * stays even if work after the commit fails, such as a call to Stripe. A trigger in the database refuses to change or
 * delete these rows.
 */
export async function recordAudit(tx: Context, act: AuditedAct): Promise<void> {
  const { actor } = tx
  await tx.db.auditEntry.create({
    data: {
      actorId: actor.kind === 'user' ? actor.userId : null,
      actorKind: actor.kind === 'user' ? (actor.isAdmin ? 'admin' : 'user') : actor.kind,
      ...act.by,
      action: act.action,
      targetType: act.targetType,
      targetId: String(act.targetId),
      before: wellFormed(act.before),
      after: wellFormed(act.after),
      // The rows are kept forever, so they do not contain the IP addresses of sellers.
      ip: actor.kind === 'user' && actor.isAdmin ? tx.ip : '',
      requestId: tx.requestId,
    },
  })
}

/** Postgres refuses JSON with half characters, and with the audit entry the whole act would be rolled back. */
function wellFormed(values: Prisma.InputJsonObject | undefined): Prisma.InputJsonObject | undefined {
  if (values === undefined) return undefined
  const text = JSON.stringify(values, (_key, value: unknown) =>
    typeof value === 'string' ? toWellFormed(value) : value,
  )
  return JSON.parse(text) as Prisma.InputJsonObject
}

/** The named fields of a row as an audit entry stores them: dates as ISO strings, missing values as null. */
export function auditedValues<Row extends object>(
  row: Row,
  names: readonly (keyof Row)[],
): Record<string, string | boolean | null> {
  const plain = (value: unknown) =>
    value instanceof Date ? value.toISOString() : ((value as string | boolean) ?? null)
  return Object.fromEntries(names.map((name) => [name, plain(row[name])]))
}
