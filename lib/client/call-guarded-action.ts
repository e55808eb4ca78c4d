import type { ActionOutcome, ServerAction } from '@/lib/kernel/action-outcome'
import { callAction } from './call-action'
import { ApiError } from './call-api'

/**
 * Calls an action. A refusal that asks for a second factor or the password is thrown, because StepUpProvider handles
 * it.
 */
export async function callGuardedAction<Input, Value>(
  action: ServerAction<Input, Value>,
  input: Input,
): Promise<ActionOutcome<Value>> {
  const outcome = await callAction(action, input)
  if (outcome.ok || outcome.code !== 'STEP_UP_REQUIRED') return outcome
  throw new ApiError(403, JSON.stringify({ error: outcome.error, code: outcome.code }), '')
}
