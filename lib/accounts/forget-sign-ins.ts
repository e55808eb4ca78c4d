import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Deletes sessions and emailed links a day after they ended, and former usernames that are free again.
 * @returns the number of rows
 */
export async function forgetSignIns(ctx: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const sessions = await deleteEndedSessions(ctx, limit)
  const tokens = await deleteExpiredTokens(ctx, limit)
  return sessions + tokens + (await deleteFreeUsernames(ctx, limit))
}

async function deleteEndedSessions({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'delete-ended-sessions',
    `DELETE FROM "Session" WHERE "id" IN (
       SELECT "id" FROM "Session" WHERE "expiresAt" < now() - interval '1 day' OR "revokedAt" < now() - interval '1 day'
        LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "id"`,
    { limit },
  )
  return rows.length
}

async function deleteExpiredTokens({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'delete-expired-tokens',
    `DELETE FROM "Token" WHERE "id" IN (
       SELECT "id" FROM "Token" WHERE "expiresAt" < now() - interval '1 day' LIMIT :limit FOR UPDATE SKIP LOCKED)
     RETURNING "id"`,
    { limit },
  )
  return rows.length
}

async function deleteFreeUsernames({ sql }: Pick<Context, 'sql'>, limit: number): Promise<number> {
  const rows = await sql(
    'delete-free-usernames',
    `DELETE FROM "ReservedUsername" WHERE "username" IN (
       SELECT "username" FROM "ReservedUsername" WHERE "reservedUntil" < now() AND "redirectsUntil" < now()
        LIMIT :limit FOR UPDATE SKIP LOCKED) RETURNING "username"`,
    { limit },
  )
  return rows.length
}
