import 'server-only'
import { waitingSql } from '@/lib/drops/queries'
import type { VisitSource } from '@/lib/drops/rules'
import type { Database } from '@/lib/infra/db'
import type { Plan } from '@/lib/kernel/plan'
import { planRules } from '@/lib/plans/rules'
import { stockSql } from '@/lib/stock/stock-sql'
import { payoutSums } from './payout-sums'
import type { RecapMoney, RecapView } from './view'

type RunRow = Omit<RecapView, 'money' | 'sources' | 'proSavesCents'> & {
  isCurrent: boolean
  plan: Plan
  isAdmin: boolean
  sellsFrom: Date
}

/** When the run `r` could first be bought: with the followers' early access, or at the start. */
const SELLS_FROM = `COALESCE(r."startedAt" - make_interval(mins => r."earlyMinutes"), r."startedAt")`

/** When the run `r` of drop `d` ended or will end. */
const END = `(CASE WHEN d."run" = r."run" THEN d."endTime" ELSE r."endTime" END)`

/** When run `r` began: at its start, or with early access if it ended before its public start. */
const START = `(r."startedAt" - CASE WHEN ${END} < r."startedAt" THEN make_interval(mins => COALESCE(r."earlyMinutes", 0)) ELSE interval '0' END)`

/**
 * How many units of each value the run `r` of drop `d` sold. A hold is reduced by units that go back on sale, so the
 * sum over all values is what the run sold. The values of an open edition have no
 * quantity of their own. A hold of an earlier run may have no value, because its value was removed
 * since.
 */
const VALUES = `(
  SELECT json_agg(json_build_object('value', x."value", 'quantity', x."quantity", 'sold', x."sold") ORDER BY x."position", x."id") FROM (
    SELECT v."id", v."position", v."value", CASE WHEN d."run" = r."run" AND NOT d."isOpenEdition" THEN v."quantity" END AS "quantity", COALESCE((
             SELECT sum(h."quantity") FROM "Hold" h
              WHERE h."dropId" = d."id" AND h."run" = r."run" AND h."valueId" = v."id" AND h."state" = 'sold'), 0)::int AS "sold"
      FROM "OptionValue" v WHERE v."dropId" = d."id"
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, sum(h."quantity")::int FROM "Hold" h
     WHERE h."dropId" = d."id" AND h."run" = r."run" AND h."valueId" IS NULL AND h."state" = 'sold' HAVING sum(h."quantity") > 0
  ) x WHERE d."run" = r."run" OR x."sold" > 0)`

/**
 * The run `r` of drop `d`. Views of the drop are counted over all runs, so the views of a run are those between its
 * beginning and the beginning of the next run. For a run without a next one, the drop's own count is used.
 */
const RUN = `
  SELECT d."id" AS "dropId", d."title", d."isOpenEdition", d."optionName", d."run" = r."run" AS "isCurrent", r."run", ${START} AS "startedAt", r."quantity", r."sold",
         ${END} AS "endTime",
         d."run" = r."run" AND d."endTime" > now() AND d."archivedAt" IS NULL AS "isOn",
         CASE WHEN r."sold" >= r."quantity" THEN extract(epoch FROM r."soldOutAt" - r."startedAt")::float8 * 1000 END AS "soldOutMs",
         GREATEST(0, COALESCE((SELECT n."viewsBefore" FROM "DropRun" n WHERE n."dropId" = d."id" AND n."run" = r."run" + 1),
                              d."views") - r."viewsBefore") AS "views",
         (SELECT json_build_object(
                   'open', count(*) FILTER (WHERE h."state" = 'held'),
                   'unpaid', count(*) FILTER (WHERE ${stockSql.endedUnpaid('h')}))
            FROM "Hold" h WHERE h."dropId" = d."id" AND h."run" = r."run") AS "checkouts",
         (SELECT COALESCE(sum(x."refused"), 0)::int FROM "DropHour" x
           WHERE x."dropId" = d."id" AND x."hour" >= date_trunc('hour', ${SELLS_FROM}, 'UTC') AND x."hour" <= ${END}) AS "refused",
         (SELECT COALESCE(sum(h."quantity"), 0)::int FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId"
           WHERE r."earlyMinutes" IS NOT NULL AND o."dropId" = d."id" AND o."isEarly" AND h."run" = r."run" AND h."state" = 'sold') AS "earlySold",
         ${SELLS_FROM} AS "sellsFrom", CASE WHEN d."optionName" IS NOT NULL THEN ${VALUES} END AS "values", ${waitingSql('d')}, u."plan", u."isAdmin"
    FROM "DropRun" r JOIN "Drop" d ON d."id" = r."dropId" JOIN "User" u ON u."id" = d."userId"
   WHERE d."id" = :dropId AND r."run" = :run AND d."userId" = :sellerId AND d."hiddenAt" IS NULL
     AND (${START} <= now() OR r."sold" > 0)`

/** SQL: the tax of an order `o` that the platform has withheld, less the part that was returned with refunds. */
const KEPT_TAX = `round(o."taxCents" * (o."amountCents" - o."refundedCents")::numeric / o."amountCents")`

/**
 * The money of a run, in cents. What the seller keeps is added up from the payouts. The other lines are sums of orders
 * and refunds, and `otherCents` is the rest, such as a lost dispute, so that the lines always add up. A payment that
 * got no unit was refunded by the platform. It has no payout, and does not count. The fee that Pro would have taken is
 * rounded per order, as real fees are.
 */
const MONEY = `
  SELECT coalesce(sum(o."amountCents"), 0)::float8 AS "paidCents",
         coalesce(sum(o."refundedCents" + b."takenCents"), 0)::float8 AS "refundedCents",
         coalesce(sum(o."platformFeeCents" - b."feeCents"), 0)::float8 AS "platformFeeCents",
         coalesce(sum(${KEPT_TAX}), 0)::float8 AS "taxCents",
         coalesce(sum(o."cardFeeCents"), 0)::float8 AS "cardFeeCents",
         (count(*) FILTER (WHERE o."cardFeeCents" IS NULL))::int AS "openCardFees",
         coalesce(sum(${payoutSums.earned}), 0)::float8 AS "netCents",
         coalesce(sum(${payoutSums.out}) FILTER (WHERE t."sentAt" IS NOT NULL), 0)::float8 AS "sentCents",
         min(t."dueAt") FILTER (WHERE t."state" = 'waiting' AND ${payoutSums.payable} > 0) AS "nextDueAt",
         max(${payoutSums.nothingSentBefore('u')}) AS "heldUntil",
         coalesce(sum(o."platformFeeCents" - b."feeCents" - ${KEPT_TAX}) FILTER (WHERE o."platformFeeBps" > :proBps), 0)::float8 AS "freeFeeCents",
         coalesce(sum(round((o."amountCents" - o."refundedCents") * :proBps::numeric / 10000)) FILTER (WHERE o."platformFeeBps" > :proBps), 0)::float8 AS "proFeeCents"
    FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "Transfer" t ON t."orderId" = o."id"
    JOIN "User" u ON u."id" = t."sellerId",
         LATERAL (SELECT coalesce(sum(f."platformFeeCents"), 0) AS "feeCents",
                         coalesce(sum(f."amountCents") FILTER (WHERE f."state" = 'pending'), 0) AS "takenCents" FROM "Refund" f
                   WHERE f."orderId" = o."id" AND (f."state" = 'succeeded' OR (f."state" = 'pending' AND f."isTakenBackFirst"))) b
   WHERE o."dropId" = :dropId AND h."run" = :run AND o."paidAt" IS NOT NULL`

const SOURCES = `
  SELECT x."source", sum(x."views")::int AS "views", sum(x."paid")::int AS "paid" FROM (
    SELECT "source", "views", 0 AS "paid" FROM "DropHour"
     WHERE "dropId" = :dropId AND "hour" >= date_trunc('hour', :startedAt::timestamptz, 'UTC') AND "hour" <= :endTime::timestamptz
    UNION ALL
    SELECT "source", 0, count(*) FROM "Hold" WHERE "dropId" = :dropId AND "run" = :run AND "state" = 'sold' GROUP BY 1) x
   GROUP BY 1 HAVING sum(x."views") + sum(x."paid") > 0 ORDER BY 2 DESC, 3 DESC`

type MoneyRow = Omit<RecapMoney, 'otherCents'> & { freeFeeCents: number; proFeeCents: number }
const noMoney: MoneyRow = {
  paidCents: 0,
  refundedCents: 0,
  platformFeeCents: 0,
  taxCents: 0,
  cardFeeCents: 0,
  ...{
    openCardFees: 0,
    netCents: 0,
    sentCents: 0,
    nextDueAt: null,
    heldUntil: null,
    freeFeeCents: 0,
    proFeeCents: 0,
  },
}

/**
 * Reads how one run of the seller's drop went (docs/product.md#recap). The sources of visits belong to Live Analytics,
 * so sellers on the free plan do not get them.
 * @returns null for an unknown run, another seller's drop, or a run that has not begun.
 */
export async function getRecap(
  { sql }: Pick<Database, 'sql'>,
  { sellerId, dropId, run }: { sellerId: number; dropId: number; run: number },
): Promise<RecapView | null> {
  const [found] = await sql<RunRow>('recap-run', RUN, { sellerId, dropId, run })
  if (!found) return null
  const { isCurrent, plan, isAdmin, sellsFrom, ...facts } = found
  const proBps = planRules({ plan: 'pro', isAdmin: false }).feeBps
  const [row = noMoney] = await sql<MoneyRow>('recap-money', MONEY, { dropId, run, proBps })
  const { freeFeeCents, proFeeCents, ...money } = row
  const { endTime } = facts
  const hasSources = planRules({ plan, isAdmin }).hasLiveAnalytics
  const sources = hasSources
    ? await sql<{ source: VisitSource; views: number; paid: number }>('recap-sources', SOURCES, {
        dropId,
        run,
        startedAt: sellsFrom,
        endTime,
      })
    : null
  const keptCents = money.paidCents - money.refundedCents - money.platformFeeCents - money.cardFeeCents
  return {
    ...facts,
    waiting: isCurrent ? facts.waiting : null,
    sources,
    money: { ...money, otherCents: money.netCents - keptCents },
    proSavesCents: Math.max(0, freeFeeCents - proFeeCents),
  }
}
