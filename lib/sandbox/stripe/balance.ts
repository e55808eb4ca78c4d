import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Resource } from './call'
import { unixSeconds } from './ids'
import { expandable, readParams } from './params'
import type { Tx } from './store'

/**
 * What the platform has on its balance before its first sale. A real platform starts with nothing and keeps a reserve or turns
 * automatic payouts off (docs.stripe.com/connect/separate-charges-and-transfers); tests empty it with a payout.
 */
const OPENING_BALANCE_CENTS = 10_000_000

type Sums = { available: number; pending: number }

/** The platform's balance now. Money that was paid is pending until its balance transaction says that it is available. */
export async function platformBalance(tx: Tx): Promise<Sums> {
  const [row] = await tx.query<Sums>(
    `SELECT coalesce(sum(("json"->>'net')::bigint) FILTER (WHERE ("json"->>'available_on')::bigint <= $1), 0)::float8 AS "available",
            coalesce(sum(("json"->>'net')::bigint) FILTER (WHERE ("json"->>'available_on')::bigint > $1), 0)::float8 AS "pending"
       FROM "SandboxObject" WHERE "kind" = 'balance_transaction'`,
    [unixSeconds(tx.now())],
  )
  return { available: OPENING_BALANCE_CENTS + (row?.available ?? 0), pending: row?.pending ?? 0 }
}

/** The balance of a connected account: transfers to it, less their reversals and the payouts to its bank. */
export async function accountBalanceCents(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx.query<{ cents: number }>(
    `SELECT coalesce(sum(CASE "kind" WHEN 'transfer' THEN ("json"->>'amount')::bigint - ("json"->>'amount_reversed')::bigint
                                     ELSE -("json"->>'amount')::bigint END), 0)::float8 AS "cents"
       FROM "SandboxObject"
      WHERE ("kind" = 'transfer' AND "json"->>'destination' = $1)
         OR ("kind" = 'payout' AND "json"->'metadata'->>'sandbox_account' = $1)`,
    [accountId],
  )
  return row?.cents ?? 0
}

const usd = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }]

export const balance: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/balance',
      run: async ({ tx, account, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const sums = account
          ? { available: await accountBalanceCents(tx, account), pending: 0 }
          : await platformBalance(tx)
        const body = {
          object: 'balance',
          available: usd(sums.available),
          livemode: false,
          pending: usd(sums.pending),
        } as Stripe.Balance
        return { body }
      },
    },
  ],
}
