import { unstable_rethrow } from 'next/navigation'
import { genericFailure, platformTexts } from '@/lib/platform/messages'

/** What the browser says in the server's place: the shape of every refusal (lib/http/action.ts). */
type NotAnswered = { ok: false; error: string; code: 'NOT_ANSWERED'; field?: never }

/**
 * Calls a server action. One that never reached the server, or whose answer was lost on the way, is refused like any
 * other, so that whoever called it has one kind of failure. What Next throws to steer, it still gets.
 */
export async function callAction<Input, Outcome>(
  action: (input: Input) => Promise<Outcome>,
  input: Input,
): Promise<Outcome | NotAnswered> {
  try {
    return await action(input)
  } catch (error) {
    unstable_rethrow(error)
    return { ok: false, error: navigator.onLine ? genericFailure : platformTexts.offline, code: 'NOT_ANSWERED' }
  }
}
