import 'server-only'
import { SUSPENDED } from '@/lib/accounts/queries'
import { planRules } from '@/lib/plans/rules'
import { earlySql } from '@/lib/stock/early-sql'
import { keySql } from '@/lib/stock/key-sql'
import { stockSql } from '@/lib/stock/stock-sql'
import { CANCEL_NEWS_HOURS } from './start/start-rules'

const ofPlan = { free: planRules({ plan: 'free', isAdmin: false }), pro: planRules({ plan: 'pro', isAdmin: false }) }

const isRunning = `(d."isActive" AND d."archivedAt" IS NULL AND d."hiddenAt" IS NULL AND d."endTime" > now())`
const isOpen = `${isRunning} AND d."moderation" = 'allowed' AND u."deletedAt" IS NULL AND NOT ${SUSPENDED}`

/**
 * The conditions on a "Drop" row `d` that several statements share, as parts of SQL statements. All except `isRunning`
 * and `hasUnitsForNextRun` also need the row `u` of its seller.
 */
export const dropSql = {
  /**
   * Whether the drop is running at this moment or scheduled. Such a drop counts against its seller's plan, even if it
   * cannot be sold.
   */
  isRunning,
  /** Whether the drop can be sold once it has started (docs/product.md#scheduled-start). */
  isOpen,
  /**
   * The condition under which the drop is on sale at this moment, whether or not units are left. Statements that hold
   * units or list drops on sale use this condition, so that they do not disagree.
   */
  isLive: `${isOpen} AND d."startedAt" <= now()`,
  /** Whether a follower with a personal link may buy the drop before the start (ADR 0066). */
  isOpenEarly: `${isOpen} AND ${earlySql.isOpen}`,
  /**
   * Whether the start of the drop was canceled a short time ago, so that the people who were emailed the start have to
   * read this, too. It is isCanceled() of ./rules in SQL.
   */
  isJustCanceled: `(d."startedAt" >= d."endTime" AND NOT ${stockSql.hasSold} AND NOT ${stockSql.hasHeld}
    AND d."endTime" BETWEEN now() - interval '${CANCEL_NEWS_HOURS} hours' AND now() AND d."hiddenAt" IS NULL
    AND d."moderation" = 'allowed' AND u."deletedAt" IS NULL AND NOT ${SUSPENDED})`,
  /**
   * Whether auto-renew would find units for another run. A drop with keys needs a free key, and a physical drop an
   * unsold unit. Services and other digital drops always have units. An open edition has no other run.
   */
  hasUnitsForNextRun: `CASE WHEN d."isOpenEdition" THEN false
    WHEN d."keysGiven" IS NOT NULL THEN ${keySql.hasFree}
    ELSE d."productType" <> 'physical' OR ${stockSql.hasUnsold} END`,
  /** Whether the seller's plan allows the type of the drop. Pro and administrators may sell all types. */
  hasTypeOfPlan: `(u."isAdmin" OR u."plan" = 'pro' OR d."productType"::text IN ('${ofPlan.free.productTypes.join("', '")}'))`,
  /** Whether the seller's plan has a free place at the time `at`, if no drop is started or ended until then. */
  hasPlaceAt: (at: string) => `(u."isAdmin" OR (
    SELECT count(*) FROM "Drop" o WHERE o."userId" = u."id" AND o."isActive" AND o."archivedAt" IS NULL
       AND o."hiddenAt" IS NULL AND o."endTime" > ${at})
    < CASE WHEN u."plan" = 'pro' THEN ${ofPlan.pro.activeDrops} ELSE ${ofPlan.free.activeDrops} END)`,
}
