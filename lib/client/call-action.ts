import { unstable_rethrow } from 'next/navigation'
import type { ActionOutcome, ServerAction } from '@/lib/kernel/action-outcome'
import { genericFailure, platformTexts } from '@/lib/platform/messages'

/**
 * Calls a server action. One that never reached the server, or whose answer was lost on the way, is refused like any
 * other, with the code NOT_ANSWERED, so that a caller has one kind of failure. What Next throws to redirect passes through.
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
