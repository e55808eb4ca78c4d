import 'server-only'

/**
 * The SQL statement that writes the payout of an order, for the statement that marks the order as paid. It needs the
 * parameters `transferId`, `transferCents` and `transferDueAt`. An order that has a payout keeps it.
 * @param order the alias of the row with the order's `id` and `sellerId`
 * @param from the rest of the FROM clause, which has that row only if the order is paid
 */
export const addTransferSql = (order: string, from: string) => `
    INSERT INTO "Transfer" ("id", "orderId", "sellerId", "amountCents", "dueAt")
    SELECT :transferId, ${order}."id", ${order}."sellerId", :transferCents, :transferDueAt FROM ${from}
    ON CONFLICT DO NOTHING`
