import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { closeOpenCheckouts } from '@/lib/checkout/close-open-checkouts'
import type { TogglePlatformInput } from '@/lib/platform/schema'
import { setPlatformState } from '@/lib/platform/set-platform-state'

/**
 * Pauses or resumes the platform (docs/product.md#kill-switch). Pausing closes unpaid checkouts and keeps paid orders.
 * The archive job closes checkouts that are still open afterwards.
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED
 */
export async function togglePlatform(
  ctx: Context<UserActor>,
  input: TogglePlatformInput,
): Promise<{ isActive: boolean }> {
  assertSteppedUp(ctx)
  const state = await setPlatformState(ctx, input)
  if (!state.isActive) await closeOpenCheckouts(ctx)
  return state
}
