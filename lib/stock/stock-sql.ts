import 'server-only'
import { earlySql } from './early-sql'
import { ONE_ORDER, OWN_MOST, OWN_PART } from './rules'

/**
 * How many of these unsold units one network may have in checkout without a proof of work: ownPart() of ./rules in SQL.
 */
export const ownPartSql = (unsold: string) =>
  `GREATEST(${ONE_ORDER}, LEAST(${OWN_MOST}, floor(${unsold} * ${OWN_PART})))`

/**
 * The unsold units for which buyers compete now, including those in checkout. Before the public start, these are the
 * early units that are not sold. Otherwise one follower could keep all of them in checkout without being noticed,
 * because the whole drop has many more. LEAST ignores a missing value.
 */
const onOffer = `LEAST(d."quantity" - d."sold", CASE WHEN d."startedAt" > now() THEN ${earlySql.left} + d."held" END)`

/**
 * All arithmetic on the sold and held units of a drop, as parts of SQL statements over a "Drop" row `d`. A single
 * statement decides a purchase (ADR 0006). Each statement that takes or sells a unit states its own conditions and uses
 * the assignments from here. `units` is an SQL expression. A CHECK constraint of the table also ensures `sold + held <=
 * quantity`.
 */
export const stockSql = {
  /** How many units are neither sold nor in checkout. */
  free: `(d."quantity" - d."sold" - d."held")`,
  onOffer,
  /** isCrowded() of ./rules in SQL. */
  isCrowded: (units: string) => `((d."held" + ${units} - 1) * 2 > ${onOffer})`,
  /** takesLast() of ./rules in SQL. Once the units are counted in `held`, pass '0' as `units`. */
  takesLast: (units: string) => `(${onOffer} <= 2 AND d."held" + ${units} >= ${onOffer})`,
  /**
   * The number of units in checkout beyond half of the units on offer; zero or negative if there are none. A single
   * unit in checkout is never too many.
   */
  excess: `(d."held" - GREATEST(1, ${onOffer} / 2))`,
  /**
   * Whether the hold with this alias ended because its buyer did not pay. Holds that ended because we ended the
   * sale, because Stripe failed, because a payment was refunded, because the buyer reached a limit or because no key
   * was left do not count.
   */
  endedUnpaid: (hold: string) =>
    `(${hold}."state" = 'released' AND ${hold}."reason" NOT LIKE 'stripe-%' AND ${hold}."reason" NOT IN ('closed', 'refunded', 'above-limit', 'no-key'))`,
  /** Whether any unit is not sold, even if all unsold units are in checkout. */
  hasUnsold: `(d."sold" < d."quantity")`,
  /** Whether any unit is in checkout. */
  hasHeld: `(d."held" > 0)`,
  /** Whether the current run has sold anything. */
  hasSold: `(d."sold" > 0)`,
  /** Assignment: units go into a checkout. It needs the condition that enough units are free. */
  take: (units: string) => `"held" = d."held" + ${units}`,
  /** Assignment: units come back from a checkout that was not paid. */
  release: (units: string) => `"held" = d."held" - ${units}`,
  /** Assignments: held units are paid. `keysGiven` stays null for a drop without keys. */
  sellHeld: (units: string) =>
    `"held" = d."held" - ${units}, "sold" = d."sold" + ${units}, "purchases" = d."purchases" + ${units}, "keysGiven" = d."keysGiven" + ${units}`,
  /** Assignments: units whose hold was released before are paid. They need the condition that enough units are free. */
  sellFree: (units: string) =>
    `"sold" = d."sold" + ${units}, "purchases" = d."purchases" + ${units}, "keysGiven" = d."keysGiven" + ${units}`,
  /** Assignment: units of a refunded order go back on sale. */
  restock: (units: string) => `"sold" = d."sold" - ${units}`,
  /**
   * Assignments: units that were on sale again are sold to their first buyer after all. They need the condition that
   * enough units are free.
   */
  sellAgain: (units: string) => `"sold" = d."sold" + ${units}, "keysGiven" = d."keysGiven" + ${units}`,
  /** Assignments: a new run begins with its own quantity. Units of the previous run that are in checkout stay held. */
  startRun: (quantity: string) => `"quantity" = ${quantity}, "sold" = 0`,
  /** Assignment: since when too many units of the drop have been in checkout, or NULL if they are not (ADR 0050). */
  contestedSince: (time: string) => `"contestedSince" = ${time}`,
  /**
   * Assignments on a "DropRun" row `r`: the units that this run has sold, which stay known after the next run begins.
   */
  addToRun: (units: string) => `"sold" = r."sold" + ${units}`,
  takeFromRun: (units: string) => `"sold" = r."sold" - ${units}`,
} as const

/**
 * The same arithmetic on one value of a drop's option, over an "OptionValue" row `v` (ADR 0053). The numbers of a drop
 * are the sums over its values, so a statement with an assignment from here also needs the assignment of `stockSql`
 * with the same name. The drop's row is always locked first, because statements that lock value and drop in different
 * orders could deadlock.
 */
export const valueSql = {
  /** How many units of the value are neither sold nor in checkout. */
  free: `(v."quantity" - v."sold" - v."held")`,
  unsold: `(v."quantity" - v."sold")`,
  isCrowded: (units: string) => `((v."held" + ${units} - 1) * 2 > v."quantity" - v."sold")`,
  takesLast: (units: string) => `(v."quantity" - v."sold" <= 2 AND v."held" + ${units} >= v."quantity" - v."sold")`,
  excess: `(v."held" - GREATEST(1, (v."quantity" - v."sold") / 2))`,
  take: (units: string) => `"held" = v."held" + ${units}`,
  release: (units: string) => `"held" = v."held" - ${units}`,
  sellHeld: (units: string) => `"held" = v."held" - ${units}, "sold" = v."sold" + ${units}`,
  sellFree: (units: string) => `"sold" = v."sold" + ${units}`,
  restock: (units: string) => `"sold" = v."sold" - ${units}`,
  sellAgain: (units: string) => `"sold" = v."sold" + ${units}`,
  contestedSince: (time: string) => `"contestedSince" = ${time}`,
  startRun: (quantity: string) => `"quantity" = ${quantity}, "sold" = 0`,
} as const
