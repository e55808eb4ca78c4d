import 'server-only'
import { buyerKeyOf } from '../choices/count-tap'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { isStripeLimit } from '@/lib/infra/stripe-errors'
import { isPaced, slowLine, takePlaceWithin } from '@/lib/infra/stripe-line'
import { AppError } from '@/lib/kernel/app-error'
import { cancelWalletPayment } from './cancel-wallet-payment'
import { checkoutError } from '../messages'
import { originKeyOf } from '../hold/origin-of'
import { type EmbeddedCheckout, type StartEmbeddedInput, startEmbeddedCheckout } from '../start-embedded-checkout'

/**
 * The numbers of wallet sheets that one buyer, and all buyers of one network, may close or replace by a tap for another
 * choice within ten minutes. Once a number is reached, only the Buy button works.
 */
const MOST_CLOSED = { buyer: 5, network: 20 }
/**
 * How many taps of one network may take a place in the line for payment intents. Without this limit, one machine could
 * take all places without buying anything, and no wallet would work for anyone.
 */
const TAPS: RateLimit = { name: 'wallet-taps', points: 60, windowSeconds: 60 }
/** How long a tap may wait in the line. The browser opens the wallet's sheet after 800 ms at the latest. */
const PATIENCE_MS = 300

/**
 * Holds the units when a buyer taps a wallet's button (docs/product.md#wallets). If the browser has disconnected before
 * the payment is ready, the units are released again, because nobody can pay them.
 * @throws the errors of startEmbeddedCheckout(), and WALLET_BUSY when the buyer should use the Buy button instead:
 *   Stripe Tax is on (ADR 0073), Stripe gets too many calls (ADR 0052), or this buyer or network has closed or replaced
 *   many sheets, each of which leaves a payment at Stripe.
 */
export async function startWalletPayment(
  ctx: Context,
  input: StartEmbeddedInput,
  signal: AbortSignal,
): Promise<EmbeddedCheckout> {
  const { dropId, buyerToken, tapId } = input
  if (ctx.hasStripeTax || (await hasClosedMany(ctx, input))) throw checkoutError('WALLET_BUSY')
  if (isPaced()) {
    if ((await consume(TAPS, originKeyOf(ctx, buyerKeyOf(buyerToken)))) !== null) throw checkoutError('WALLET_BUSY')
    const waitMs = await takePlaceWithin(ctx.sql, PATIENCE_MS)
    if (waitMs === null) throw checkoutError('WALLET_BUSY')
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
  const startedAt = performance.now()
  const started = await startEmbeddedCheckout(ctx, input, { hasPlace: true }).catch(async (error: unknown) => {
    if (!(error instanceof AppError) || !isStripeLimit(error.cause)) throw error
    await slowLine(ctx.sql, 'intents')
    throw checkoutError('WALLET_BUSY', { cause: error })
  })
  const ageMs = Math.ceil(performance.now() - startedAt)
  if (signal.aborted) await cancelWalletPayment(ctx, { dropId, buyerToken, tapId, ageMs })
  return started
}

async function hasClosedMany(ctx: Context, { dropId, buyerToken }: StartEmbeddedInput): Promise<boolean> {
  const buyerKey = buyerKeyOf(buyerToken)
  const [closed] = await ctx.sql<{ buyer: number; network: number }>(
    'closed-wallets',
    `SELECT (count(*) FILTER (WHERE h."buyerKey" = :buyerKey))::int AS "buyer",
            (count(*) FILTER (WHERE h."originKey" = :originKey))::int AS "network" FROM "Hold" h
      WHERE (h."originKey" = :originKey OR (h."dropId" = :dropId AND h."buyerKey" = :buyerKey))
        AND h."mode" = 'embedded' AND h."state" = 'released' AND h."reason" IN ('cancelled', 'restarted')
        AND h."createdAt" > now() - interval '10 minutes'`,
    { dropId, buyerKey, originKey: originKeyOf(ctx, buyerKey) },
  )
  return closed !== undefined && (closed.buyer >= MOST_CLOSED.buyer || closed.network >= MOST_CLOSED.network)
}
