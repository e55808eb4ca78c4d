import 'server-only'
import { type Context, sqlTransaction } from '@/lib/infra/context'
import { oneAtATime } from '@/lib/infra/one-at-a-time'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { readUnpaidOfNetwork, readUsedCents } from '@/lib/traders/queries'
import { limitReachedText, unpaidOfNetworkText } from './limit-messages'
import { checkoutError } from '../messages'
import { EMBEDDED_HOLD_MS } from '../rules'
import type { TakenHold } from './take-hold'
import { type DropSeller, hasSellerLimit } from '@/lib/traders/has-seller-limit'

/**
 * The part of a seller's monthly limit that the unpaid checkouts of one network may use together. Without it, one
 * visitor could keep a new seller from selling for as long as checkouts can be paid. One order may be larger, unless
 * the network has lately kept units of this seller without paying for them (MOST_KEPT_SECONDS). Otherwise a visitor
 * could use up the limit with one large checkout after the other. A buyer whose embedded checkout has run out once may
 * start again. The extra minute allows for the sweep that ends the checkout.
 */
const MOST_OF_NETWORK = 0.5
const MOST_KEPT_SECONDS = (EMBEDDED_HOLD_MS + MINUTE_MS) / SECOND_MS

/**
 * Runs `hold`, which takes units, within the monthly limit of the seller. The holds of one seller with a limit are
 * taken one after the other, so that each counts the payments and the checkouts before it, and buyers who come at the
 * same time cannot exceed the limit together (ADR 0068). Within one process, the calls wait before their transactions
 * begin, so that a rush on one seller does not occupy all connections to the database. A hold that would exceed the
 * limit is rolled back. For sellers without a limit, `hold` runs without a transaction. Do not call this function in a
 * transaction.
 * @throws SELLER_LIMIT, and QueueFull when too many calls wait for this seller
 */
export async function holdWithinLimit(
  ctx: Context,
  seller: DropSeller,
  hold: (tx: Pick<Context, 'sql'>) => Promise<TakenHold | null>,
): Promise<TakenHold | null> {
  const { sellerLimit } = ctx
  if (!sellerLimit || !hasSellerLimit(ctx, seller)) return hold(ctx)
  const { userId } = seller
  const { capCents } = sellerLimit
  const withinLimit = () =>
    sqlTransaction(ctx, async (tx) => {
      await lockSellerLimit(tx, userId)
      const leftCents = capCents - (await readUsedCents(tx, { sellerId: userId, capCents }))
      if (leftCents <= 0) throw checkoutError('SELLER_LIMIT')
      const taken = await hold(tx)
      if (!taken) return null
      assertFits(taken.amountCents, leftCents)
      const network = await readUnpaidOfNetwork(tx, { sellerId: userId, holdId: taken.holdId })
      assertLeavesHalf({ ...network, count: network.count - 1, capCents })
      return taken
    })
  return oneAtATime(`seller-limit-${userId}`, withinLimit)
}

/**
 * Runs `charge`, which raises the amount of a checkout that counts already, within the monthly limit of the seller. A
 * change that would exceed the limit is rolled back. Do not call this function in a transaction.
 * @throws SELLER_LIMIT, and QueueFull when too many calls wait for this seller
 */
export async function chargeWithinLimit<Result>(
  ctx: Context,
  seller: DropSeller,
  charge: (tx: Pick<Context, 'sql'>) => Promise<Result>,
): Promise<Result> {
  const { sellerLimit } = ctx
  if (!sellerLimit || !hasSellerLimit(ctx, seller)) return sqlTransaction(ctx, charge)
  const { userId } = seller
  const { capCents } = sellerLimit
  return oneAtATime(`seller-limit-${userId}`, () =>
    sqlTransaction(ctx, async (tx) => {
      await lockSellerLimit(tx, userId)
      const charged = await charge(tx)
      if ((await readUsedCents(tx, { sellerId: userId, capCents })) > capCents) throw checkoutError('SELLER_LIMIT')
      return charged
    }),
  )
}

async function lockSellerLimit({ sql }: Pick<Context, 'sql'>, userId: number): Promise<void> {
  await sql('lock-seller-limit', `SELECT pg_advisory_xact_lock(hashtextextended('seller-limit', :userId::bigint))`, {
    userId,
  })
}

/**
 * Refuses a checkout that would exceed the seller's limit, before the buyer's open checkout is closed for it. Otherwise
 * the buyer would lose the units of that checkout for nothing. holdWithinLimit() decides afterwards.
 * @param open the open checkout, and the network that the new one will count for
 * @throws SELLER_LIMIT
 */
export async function assertWithinSellerLimit(
  ctx: Context,
  seller: DropSeller,
  amountCents: number,
  open: { holdId: string; amountCents: number; originKey: string },
): Promise<void> {
  const { sellerLimit } = ctx
  if (!sellerLimit || !hasSellerLimit(ctx, seller)) return
  const { capCents } = sellerLimit
  const { userId: sellerId } = seller
  const { originKey, holdId: exceptHoldId } = open
  assertFits(amountCents, capCents - (await readUsedCents(ctx, { sellerId, capCents })) + open.amountCents)
  const network = await readUnpaidOfNetwork(ctx, { sellerId, originKey, exceptHoldId })
  assertLeavesHalf({ ...network, cents: network.cents + amountCents, capCents })
}

/**
 * @param network what the unpaid checkouts of a network use (readUnpaidOfNetwork()). `count` leaves out the checkout in
 *   question, and `cents` includes it.
 * @throws SELLER_LIMIT
 */
function assertLeavesHalf(network: Awaited<ReturnType<typeof readUnpaidOfNetwork>> & { capCents: number }): void {
  const { count, cents, keptSeconds, capCents } = network
  const isFirst = count === 0 && keptSeconds <= MOST_KEPT_SECONDS
  if (isFirst || cents <= capCents * MOST_OF_NETWORK) return
  throw checkoutError('SELLER_LIMIT', { text: unpaidOfNetworkText })
}

function assertFits(amountCents: number, leftCents: number): void {
  if (leftCents <= 0) throw checkoutError('SELLER_LIMIT')
  if (amountCents > leftCents) throw checkoutError('SELLER_LIMIT', { text: limitReachedText(leftCents) })
}
