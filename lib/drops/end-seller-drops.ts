import 'server-only'
import type { Context } from '@/lib/infra/context'

/**
 * Ends everything a seller has running and hides all of it, because the account goes (DECISIONS 41). Orders keep their
 * drops. Call it with the seller's row locked.
 * @returns how many were still running.
 */
export async function endSellerDrops(tx: Context, sellerId: number): Promise<number> {
  const running = await tx.db.$queryRaw<{ id: number }[]>`
    SELECT "id" FROM "Drop" WHERE "userId" = ${sellerId} AND "isActive" AND "archivedAt" IS NULL ORDER BY "id" FOR UPDATE`
  await tx.db.$executeRaw`
    UPDATE "Drop" SET "isActive" = false, "isFeatured" = false, "isPinned" = false, "updatedAt" = now(),
           "archivedAt" = COALESCE("archivedAt", now()), "hiddenAt" = COALESCE("hiddenAt", now())
     WHERE "userId" = ${sellerId} AND ("hiddenAt" IS NULL OR "isActive")`
  return running.length
}
