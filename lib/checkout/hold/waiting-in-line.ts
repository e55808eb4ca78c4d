import 'server-only'
import type { Context } from '@/lib/infra/context'
import { aheadAfter, isPaced, type LineName, slowLine, takePlace } from '@/lib/infra/stripe-line'
import { SECOND_MS } from '@/lib/kernel/time'
import { checkoutError } from '../messages'
import type { OpenCheckout } from '../queries'
import { releaseHold } from './release-hold'
import { CONTESTED_HOLD_MS, EMBEDDED_HOLD_MS, HOSTED_HOLD_MS } from '../rules'
import type { TakenHold } from './take-hold'

/**
 * What a buyer who waits for the card page sees: how many buyers are ahead at most, and about how many seconds the wait
 * takes.
 */
export type WaitingInLine = { ahead: number; seconds: number }

type Turn = { hold: TakenHold } | { wait: WaitingInLine }

/** A wait up to this long happens inside the request, so that the buyer does not notice it. */
const PATIENCE_MS = 1_500
/**
 * How long the units of a buyer in line stay held after the buyer's turn has come. If the buyer does not come back in
 * this time, the units are released.
 */
const GRACE_MS = 60 * SECOND_MS
/** After this time a buyer for whom the line was too long may try again. */
const FULL_SECONDS = 60

const toWaitView = (waitMs: number, ahead = aheadAfter(waitMs)): WaitingInLine => ({
  ahead,
  seconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Assigns a new hold its place in the line for a session or a payment intent at Stripe (ADR 0052). The line is empty
 * most of the time.
 * @returns the hold when Stripe may be called now, otherwise the wait
 * @throws LINE_FULL, after the units were released, when the line is ten minutes long
 */
export async function joinLine(ctx: Context, hold: TakenHold, line: LineName): Promise<Turn> {
  if (!isPaced()) return { hold }
  const place = await takePlace(ctx.sql, line)
  if (!place) {
    await releaseHold(ctx, hold.holdId, 'line-full')
    throw checkoutError('LINE_FULL', { retryAfterSeconds: FULL_SECONDS })
  }
  const { waitMs, ahead } = place
  if (waitMs <= PATIENCE_MS) {
    if (waitMs > 0) await sleep(waitMs)
    return { hold }
  }
  return (await standInLine(ctx, hold.holdId, waitMs)) ? { wait: toWaitView(waitMs, ahead) } : { hold }
}

/**
 * Continues with a buyer who is in line. Returns how long the wait still takes, or starts the hold's time when it is
 * the buyer's turn.
 * @returns null when another call of this buyer started the time first, or when the units are no longer held
 */
export async function waitedInLine(
  ctx: Context,
  { open, waitMs }: { open: OpenCheckout; waitMs: number },
): Promise<Turn | null> {
  if (waitMs > PATIENCE_MS) return { wait: toWaitView(waitMs) }
  if (waitMs > 0) await sleep(waitMs)
  const [begun] = await ctx.sql<{ expiresAt: Date }>(
    'begin-opening',
    `UPDATE "Hold" SET "opensAt" = NULL, "openingSince" = now(),
            "expiresAt" = now() + make_interval(secs => :holdMs::float8 / 1000)
      WHERE "id" = :holdId AND "state" = 'held' AND "opensAt" IS NOT NULL RETURNING "expiresAt"`,
    { holdId: open.holdId, holdMs: holdMsOf(open) },
  )
  return begun ? { hold: { ...open, expiresAt: begun.expiresAt, isRetry: false } } : null
}

function holdMsOf({ mode, isContested }: OpenCheckout): number {
  if (mode === 'embedded') return EMBEDDED_HOLD_MS
  return isContested ? CONTESTED_HOLD_MS : HOSTED_HOLD_MS
}

/**
 * Slows the line down and puts this buyer back into it, after Stripe refused because of too many calls.
 * @returns null when the units are no longer held, or when the line is full.
 */
export async function waitLonger(ctx: Context, hold: TakenHold, line: LineName): Promise<WaitingInLine | null> {
  await slowLine(ctx.sql, line)
  const place = await takePlace(ctx.sql, line)
  if (!place) return null
  const { waitMs, ahead } = place
  ctx.log.warn({ orderId: hold.orderId, waitMs }, 'Stripe gets too many calls')
  return (await standInLine(ctx, hold.holdId, waitMs)) ? toWaitView(waitMs, ahead) : null
}

/**
 * Records in the hold the time from which its session may be opened. The hold's own time begins then.
 * @returns whether the units are still held.
 */
async function standInLine(ctx: Context, holdId: string, waitMs: number): Promise<boolean> {
  const held = await ctx.sql(
    'stand-in-line',
    `UPDATE "Hold" SET "opensAt" = now() + make_interval(secs => :waitMs::float8 / 1000), "openingSince" = NULL,
            "expiresAt" = now() + make_interval(secs => (:waitMs::float8 + :graceMs::float8) / 1000)
      WHERE "id" = :holdId AND "state" = 'held' RETURNING "id"`,
    { holdId, waitMs, graceMs: GRACE_MS },
  )
  return held.length > 0
}
