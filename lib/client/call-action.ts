import { unstable_rethrow } from 'next/navigation'
import type { ActionOutcome, ServerAction } from '@/lib/kernel/action-outcome'
import { genericFailure, platformTexts } from '@/lib/platform/messages'

/**
 * Calls a server action. When the call throws, for example because the request or its response is lost, the result is a
 * refusal with the code NOT_ANSWERED. Callers therefore have only one kind of failure to handle. Errors that Next
 * throws for itself, for example for redirects, are thrown again.
 */
export async function callAction<Input, Value>(
  action: ServerAction<Input, Value>,
  input: Input,
): Promise<ActionOutcome<Value>> {
  try {
    return await action(input)
  } catch (error) {
    unstable_rethrow(error)
    return { ok: false, error: navigator.onLine ? genericFailure : platformTexts.offline, code: 'NOT_ANSWERED' }
  }
}
