import 'server-only'
import { COLUMNS, FROM } from '@/lib/drops/queries'
import type { DropRow } from '@/lib/drops/view'
import type { Database } from '@/lib/infra/db'
import type { PublicProfileView } from './view'

/** A profile shows at most this many sold-out drops, the most recent ones. */
const WALL_SIZE = 12

/**
 * Only this many of the seller's newest drops are searched, so that the cost does not grow with the seller's history.
 */
const NEWEST = 200

/** What the seller has written on the public profile; empty for a seller who has written nothing. */
export async function findPublicProfile({ db }: Database, userId: number): Promise<PublicProfileView> {
  const row = await db.publicProfile.findUnique({ where: { userId }, select: { about: true, links: true } })
  return row ?? { about: '', links: [] }
}

/** A drop that has ended, and how many units its most recent sold-out run had. */
export type SoldOutDrop = DropRow & { soldInRun: number }

/**
 * The wall of sold-out drops (docs/product.md#public-profile): ended drops of the seller of which at least one run sold
 * every unit, the most recent first. Units that were refunded and put back on sale do not count as sold.
 */
export function listSoldOutDrops({ sql }: Database, userId: number): Promise<SoldOutDrop[]> {
  return sql<SoldOutDrop>(
    'profile-sold-out',
    `SELECT ${COLUMNS}, last."sold" AS "soldInRun" ${FROM}
       JOIN (SELECT p."id" FROM "Drop" p WHERE p."userId" = :userId ORDER BY p."createdAt" DESC LIMIT ${NEWEST}) newest
         ON newest."id" = d."id"
       CROSS JOIN LATERAL (
         SELECT r."sold", r."endTime" FROM "DropRun" r
          WHERE r."dropId" = d."id" AND r."sold" > 0 AND r."sold" >= r."quantity" AND r."endTime" <= now()
          ORDER BY r."run" DESC LIMIT 1) last
      WHERE d."userId" = :userId AND NOT (d."isActive" AND d."archivedAt" IS NULL) AND d."hiddenAt" IS NULL
        AND d."moderation" = 'allowed'
      ORDER BY last."endTime" DESC, d."id" DESC LIMIT ${WALL_SIZE}`,
    { userId },
  )
}
