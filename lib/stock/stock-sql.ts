import 'server-only'

/**
 * The only arithmetic on what a drop has sold and holds, as parts of SQL statements over a "Drop" row `d`. A purchase is
 * decided by one statement (ADR 0006): each statement that takes or sells a unit names its own conditions and takes its
 * assignments from here. `units` is an SQL expression; `sold + held <= quantity` is also a CHECK constraint of the table.
 */
export const stockSql = {
  /** How many units nobody has bought and nobody is paying for. */
  free: `(d."quantity" - d."sold" - d."held")`,
  /** How many units nobody has bought, those in checkout included. */
  unsold: `(d."quantity" - d."sold")`,
  /** isCrowded() in SQL: whether more than half of the unsold units would be in checkout before the last of these. */
  isCrowded: (units: string) => `((d."held" + ${units} - 1) * 2 > d."quantity" - d."sold")`,
  /** By how many units those in checkout exceed half of the unsold ones; a single unit is never too many. */
  excess: `(d."held" - GREATEST(1, (d."quantity" - d."sold") / 2))`,
  /**
   * Whether the hold with this alias ended because its buyer did not pay: not because Stripe failed, and not after a payment
   * that was refunded.
   */
  endedUnpaid: (hold: string) =>
    `(${hold}."state" = 'released' AND ${hold}."reason" NOT LIKE 'stripe-%' AND ${hold}."reason" NOT IN ('refunded', 'above-limit'))`,
  /** Whether anything is left that nobody has bought, also when all of it is in checkout at the moment. */
  hasUnsold: `(d."sold" < d."quantity")`,
  /** Whether the current run has sold anything. */
  hasSold: `(d."sold" > 0)`,
  /** Assignment: units go into a checkout. Needs the condition that as many are free. */
  take: (units: string) => `"held" = d."held" + ${units}`,
  /** Assignment: units come back from a checkout that was not paid. */
  release: (units: string) => `"held" = d."held" - ${units}`,
  /** Assignments: units that were held are paid for. */
  sellHeld: (units: string) =>
    `"held" = d."held" - ${units}, "sold" = d."sold" + ${units}, "purchases" = d."purchases" + ${units}`,
  /** Assignments: units are paid for whose hold was given back before. Needs the condition that as many are free. */
  sellFree: (units: string) => `"sold" = d."sold" + ${units}, "purchases" = d."purchases" + ${units}`,
  /** Assignment: units of a refunded order go back on sale. */
  restock: (units: string) => `"sold" = d."sold" - ${units}`,
  /** Assignments: a new run begins with a quantity of its own; units still in checkout from the run before stay held. */
  startRun: (quantity: string) => `"quantity" = ${quantity}, "sold" = 0`,
  /** Assignment: since when too many units of the drop have been unpaid, NULL when they no longer are (ADR 0050). */
  contestedSince: (time: string) => `"contestedSince" = ${time}`,
  /** Assignments on a "DropRun" row `r`: what this run has sold, kept after the drop has begun another one. */
  addToRun: (units: string) => `"sold" = r."sold" + ${units}`,
  takeFromRun: (units: string) => `"sold" = r."sold" - ${units}`,
} as const

/**
 * The same arithmetic on one value of a drop's option, over an "OptionValue" row `v` (ADR 0053). The drop's numbers are the
 * sums over its values, so a statement with an assignment of this object also has the one of `stockSql` with the same name.
 * The drop's row is always locked first: two statements that locked value and drop in different sequences would wait for each
 * other.
 */
export const valueSql = {
  /** How many units of the value nobody has bought and nobody is paying for. */
  free: `(v."quantity" - v."sold" - v."held")`,
  unsold: `(v."quantity" - v."sold")`,
  isCrowded: (units: string) => `((v."held" + ${units} - 1) * 2 > v."quantity" - v."sold")`,
  excess: `(v."held" - GREATEST(1, (v."quantity" - v."sold") / 2))`,
  take: (units: string) => `"held" = v."held" + ${units}`,
  release: (units: string) => `"held" = v."held" - ${units}`,
  sellHeld: (units: string) => `"held" = v."held" - ${units}, "sold" = v."sold" + ${units}`,
  sellFree: (units: string) => `"sold" = v."sold" + ${units}`,
  restock: (units: string) => `"sold" = v."sold" - ${units}`,
  contestedSince: (time: string) => `"contestedSince" = ${time}`,
  startRun: (quantity: string) => `"quantity" = ${quantity}, "sold" = 0`,
} as const
