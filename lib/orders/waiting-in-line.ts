import 'server-only'
import type { Context } from '@/lib/infra/context'
import { aheadAfter, isPaced, slowLine, takePlace } from '@/lib/infra/stripe-line'
import { SECOND_MS } from '@/lib/kernel/time'
import type { OpenCheckout } from './queries'
import { CONTESTED_HOLD_MS, HOSTED_HOLD_MS } from './rules'
import type { TakenHold } from './take-hold'

/** What a buyer who waits for the card page is told: how many are ahead, and about how long it takes. */
export type WaitingInLine = { ahead: number; seconds: number }

type Turn = { hold: TakenHold } | { wait: WaitingInLine }

/** A wait that is shorter than this is spent inside the request, so that a buyer notices nothing. */
const PATIENCE_MS = 1_500
/** For how long the units of a buyer in line stay held after their turn, should the buyer not come back. */
const GRACE_MS = 60 * SECOND_MS

const shown = (waitMs: number, ahead = aheadAfter(waitMs)): WaitingInLine => ({
  ahead,
  seconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Gives a new hold its place in the line for a session at Stripe (ADR 0052). The line is empty most of the time. */
export async function joinLine(ctx: Context, hold: TakenHold): Promise<Turn> {
  if (!isPaced()) return { hold }
  const { waitMs, ahead } = await takePlace(ctx.sql)
  if (waitMs <= PATIENCE_MS) {
    if (waitMs > 0) await sleep(waitMs)
    return { hold }
  }
  return (await standInLine(ctx, hold.holdId, waitMs)) ? { wait: shown(waitMs, ahead) } : { hold }
}

/**
 * Continues with a buyer who is in line: says how long it still takes, or begins the hold's time when it is their turn.
 * @returns null when another call of this buyer did so first.
 */
export async function waitedInLine(
  ctx: Context,
  { open, waitMs }: { open: OpenCheckout; waitMs: number },
): Promise<Turn | null> {
  if (waitMs > PATIENCE_MS) return { wait: shown(waitMs) }
  if (waitMs > 0) await sleep(waitMs)
  const [begun] = await ctx.sql<{ expiresAt: Date }>(
    'begin-opening',
    `UPDATE "Hold" SET "opensAt" = NULL, "openingSince" = now(),
            "expiresAt" = now() + make_interval(secs => :holdMs::float8 / 1000)
      WHERE "id" = :holdId AND "state" = 'held' AND "opensAt" IS NOT NULL RETURNING "expiresAt"`,
    { holdId: open.holdId, holdMs: open.isContested ? CONTESTED_HOLD_MS : HOSTED_HOLD_MS },
  )
  return begun ? { hold: { ...open, expiresAt: begun.expiresAt, isRetry: false } } : null
}

/**
 * Stripe refused because of too many calls: the line becomes slower, and this buyer goes back into it.
 * @returns null when the units are not held any more.
 */
export async function waitLonger(ctx: Context, hold: TakenHold): Promise<WaitingInLine | null> {
  await slowLine(ctx.sql)
  const { waitMs, ahead } = await takePlace(ctx.sql)
  ctx.log.warn({ orderId: hold.orderId, waitMs }, 'Stripe gets too many calls')
  return (await standInLine(ctx, hold.holdId, waitMs)) ? shown(waitMs, ahead) : null
}

/** Records in the hold from when its session may be opened. The hold's own time begins then. */
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
