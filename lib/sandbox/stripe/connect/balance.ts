import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Resource } from '../call'
import { unixSeconds } from '../ids'
import { expandable, readParams } from '../params'
import type { Tx } from '../store'

/**
 * The platform's balance before its first sale, in cents. A real platform starts with nothing and keeps a reserve or
 * turns automatic payouts off (docs.stripe.com/connect/separate-charges-and-transfers). Tests empty this balance with a
 * payout.
 */
const OPENING_BALANCE_CENTS = 10_000_000

type Sums = { available: number; pending: number }

/**
 * The platform's current balance, in cents. Money that was paid is pending until its balance transaction says that it
 * is available.
 */
export async function platformBalance(tx: Tx): Promise<Sums> {
  const [row] = await tx.query<Sums>(
    `SELECT coalesce(sum(("json"->>'net')::bigint) FILTER (WHERE ("json"->>'available_on')::bigint <= $1), 0)::float8 AS "available",
            coalesce(sum(("json"->>'net')::bigint) FILTER (WHERE ("json"->>'available_on')::bigint > $1), 0)::float8 AS "pending"
       FROM "SandboxObject" WHERE "kind" = 'balance_transaction'`,
    [unixSeconds(tx.now())],
  )
  return { available: OPENING_BALANCE_CENTS + (row?.available ?? 0), pending: row?.pending ?? 0 }
}

const RECIPIENT_DELAY_SECONDS = 24 * 60 * 60

/**
 * The balance of a connected account, in cents: transfers to the account, less their reversals and the payouts to its
 * bank that have not failed. A transfer from a charge stays pending as long as that charge. For accounts under the
 * recipient agreement, money takes a day longer (docs.stripe.com/connect/separate-charges-and-transfers,
 * /connect/service-agreement-types). The available part is below zero after a reversal that the account could not
 * cover.
 */
export async function accountBalance(tx: Tx, accountId: string): Promise<Sums> {
  const [row] = await tx.query<Sums>(
    `WITH "received" AS (
       SELECT t."json", (m."json"->>'available_on')::bigint + CASE WHEN EXISTS (
                SELECT 1 FROM "SandboxObject" a WHERE a."id" = $1 AND a."json"->'tos_acceptance'->>'service_agreement' = 'recipient')
                THEN ${RECIPIENT_DELAY_SECONDS} ELSE 0 END AS "from"
         FROM "SandboxObject" t JOIN "SandboxObject" m ON m."id" = t."json"->>'balance_transaction'
        WHERE t."kind" = 'transfer' AND t."json"->>'destination' = $1)
     SELECT (coalesce(sum(("json"->>'amount')::bigint) FILTER (WHERE "from" <= $2), 0)
              - coalesce(sum(("json"->>'amount_reversed')::bigint), 0)
              - (SELECT coalesce(sum((p."json"->>'amount')::bigint), 0) FROM "SandboxObject" p
                  WHERE p."kind" = 'payout' AND p."json"->>'status' <> 'failed'
                    AND p."json"->'metadata'->>'sandbox_account' = $1))::float8 AS "available",
            coalesce(sum(("json"->>'amount')::bigint) FILTER (WHERE "from" > $2), 0)::float8 AS "pending"
       FROM "received"`,
    [accountId, unixSeconds(tx.now())],
  )
  return row ?? { available: 0, pending: 0 }
}

const inCurrency = (currency: string, amount: number) => [{ amount, currency, source_types: { card: amount } }]

export const balance: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/balance',
      run: async ({ tx, account, params, settings }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const sums = account ? await accountBalance(tx, account) : await platformBalance(tx)
        const currency = account ? 'usd' : settings.platform.currency
        const body = {
          object: 'balance',
          available: inCurrency(currency, sums.available),
          livemode: false,
          pending: inCurrency(currency, sums.pending),
        } as Stripe.Balance
        return { body }
      },
    },
  ],
}
