import 'server-only'

/**
 * A common table expression that lets the statement around it commit without waiting for the disk. The statement has to
 * select from `unflushed`, because Postgres does not run an expression that nobody reads. If the machine crashes within
 * the next second, Postgres may lose what the statement wrote, but never a part of it, and nothing that was committed
 * before it with a flush. Use it only for rows that another path writes again, and never inside a transaction, whose
 * other statements would lose the flush as well (ADR 0071).
 */
export const UNFLUSHED = `unflushed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`
