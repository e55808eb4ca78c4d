import 'server-only'
import { settleCharge } from './charges'
import { fallDue, returnFunds } from './dispute-steps'
import { unixSeconds } from './ids'
import type { Later, LaterStep } from './objects'
import { failRefund, fundRefund, succeedRefund } from './refund-steps'
import type { Store, Tx } from './store'

const BATCH = 100

/** @returns whether the step is done; one that is not stays for the next run. */
const STEPS: Record<LaterStep, (tx: Tx, subjectId: string) => Promise<boolean>> = {
  'charge-settles': settleCharge,
  'refund-succeeds': succeedRefund,
  'refund-is-funded': fundRefund,
  'refund-fails': failRefund,
  'funds-return': returnFunds,
  'dispute-falls-due': fallDue,
}

type Row = { seq: number; json: Later }

async function settleSome(tx: Tx, after: number): Promise<Row[]> {
  const rows = await tx.query<Row>(
    `SELECT "seq", "json" FROM "SandboxObject"
      WHERE "kind" = '~later' AND "seq" > $1 AND ("json"->>'dueAt')::bigint <= $2
      ORDER BY "seq" LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    [after, unixSeconds(tx.now())],
  )
  for (const { seq, json } of rows) {
    if (await STEPS[json.step](tx, json.subjectId))
      await tx.query(`DELETE FROM "SandboxObject" WHERE "seq" = $1`, [seq])
  }
  return rows
}

/** Does what happens by itself at Stripe and is due: payments settle, refunds succeed or fail, disputes are decided. */
export async function settleLater(store: Store): Promise<void> {
  const nobody = { id: null, idempotency_key: null }
  for (let rows = await store.transaction(nobody, (tx) => settleSome(tx, 0)); rows.length === BATCH;) {
    const last = rows.at(-1)?.seq ?? 0
    rows = await store.transaction(nobody, (tx) => settleSome(tx, last))
  }
}
