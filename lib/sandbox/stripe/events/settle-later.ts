import 'server-only'
import { accountFallsDue, requirementsBegin } from '../connect/accounts'
import { settleCharge } from '../payments/charges'
import { fallDue, returnFunds } from '../payments/dispute-steps'
import { unixSeconds } from '../ids'
import type { Later, LaterStep } from '../objects'
import { arrivePayout } from '../connect/payout-steps'
import { failRefund, fundRefund, succeedRefund } from '../payments/refund-steps'
import type { Store, Tx } from '../store'

const BATCH = 100

/** The function for each step. Each function returns false if its step has to be tried again in the next run. */
const STEPS: Record<LaterStep, (tx: Tx, subjectId: string) => Promise<boolean>> = {
  'charge-settles': settleCharge,
  'refund-succeeds': succeedRefund,
  'refund-is-funded': fundRefund,
  'refund-fails': failRefund,
  'funds-return': returnFunds,
  'dispute-falls-due': fallDue,
  'account-falls-due': accountFallsDue,
  'requirements-begin': requirementsBegin,
  'payout-arrives': arrivePayout,
}

type Row = { seq: number; json: Later }

async function settleSome(tx: Tx, after: number): Promise<Row[]> {
  const rows = await tx.query<Row>(
    `SELECT "seq", "json" FROM "SandboxObject"
      WHERE "kind" = '~later' AND "seq" > $1 AND ("json"->>'dueAt')::bigint <= $2
      ORDER BY "seq" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    [after, unixSeconds(tx.now())],
    'sandbox-due-steps',
  )
  for (const { seq, json } of rows) {
    if (await STEPS[json.step](tx, json.subjectId))
      await tx.query(`DELETE FROM "SandboxObject" WHERE "seq" = $1`, [seq])
  }
  return rows
}

/**
 * Carries out the due steps that were recorded with `doLater`, because Stripe takes them without a request. For
 * example, payments settle, refunds succeed or fail, payouts arrive, and deadlines of disputes and accounts pass.
 */
export async function settleLater(store: Store): Promise<void> {
  const nobody = { id: null, idempotency_key: null }
  for (let rows = await store.transaction(nobody, (tx) => settleSome(tx, 0)); rows.length === BATCH;) {
    const last = rows.at(-1)?.seq ?? 0
    rows = await store.transaction(nobody, (tx) => settleSome(tx, last))
  }
}
