'use client'

import { callGuardedAction } from '@/lib/client/call-guarded-action'
import { ApiError, failureText } from '@/lib/client/call-api'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { useStepUp } from './step-up-provider'

/**
 * Returns an action that asks for the second factor or the password when the server requires it, and then runs again.
 * If the person closes that dialog, the result is the refusal. Use it below a StepUpProvider.
 */
export function useGuardedAction<Input, Value>(action: ServerAction<Input, Value>): ServerAction<Input, Value> {
  const stepUp = useStepUp()
  return async (input) => {
    try {
      return await stepUp(() => callGuardedAction(action, input))
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined
      return { ok: false, error: failureText(error), code: code ?? 'NOT_ANSWERED' }
    }
  }
}
