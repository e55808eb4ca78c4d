import 'server-only'

/** The first and the last number of the units that an order has just bought, as SQL. */
const FIRST = 'run."sold" - run."quantity" + 1'
const LAST = 'run."sold"'

/**
 * Computes the numbers of a numbered drop, as parts of the statements that sell (ADR 0056). No other code computes
 * them. In these parts, `run` is the run after the sale, together with the order and its `quantity`. Units of a
 * numbered drop never go back on sale, so the sold units of a run only grow and each number is given once.
 */
export const numberSql = {
  /** The statement that gives the sold units their numbers. */
  give: `
    INSERT INTO "EditionNumber" ("dropId", "run", "number", "orderId")
    SELECT run."dropId", run."run", n, run."orderId" FROM run, generate_series(${FIRST}, ${LAST}) n WHERE run."isNumbered"`,
  /** The same numbers as text for an email that is queued with the sale: "17", "17–19, run 2". */
  text: `COALESCE((
    SELECT ${FIRST} || CASE WHEN run."quantity" > 1 THEN '–' || ${LAST} ELSE '' END
           || CASE WHEN run."run" > 1 THEN ', run ' || run."run" ELSE '' END FROM run), '')`,
} as const
