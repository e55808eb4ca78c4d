import 'server-only'
import { type Context, systemContext } from '@/lib/infra/context'
import { answer } from './answer'
import { assertCronSecret } from './assert-cron-secret'

type MachineRouteOptions<Incoming extends Request, Next extends unknown[]> = {
  /** The name of the caller in the log and the audit log. */
  name: string
  /**
   * Refuses callers without CRON_SECRET. Without this option `run` must check the caller first, for example by a
   * signature.
   */
  needsSecret?: boolean
  /** @param next the arguments that Next passes to a handler after the request, for handlers that declare them. */
  run: (ctx: Context, request: Incoming, ...next: Next) => Promise<Response>
}

/**
 * Creates the handler of a call by another program (Stripe, the storage, a scheduler, a metrics collector), or of a
 * call that next-auth handles. The handler reads no actor, checks no origin, and stays open while the platform is
 * paused. Errors always become JSON.
 */
export function machineRoute<Incoming extends Request = Request, Next extends unknown[] = []>({
  name,
  needsSecret = false,
  run,
}: MachineRouteOptions<Incoming, Next>) {
  return (request: Incoming, ...next: Next): Promise<Response> =>
    answer(request, async (requestId) => {
      if (needsSecret) assertCronSecret(request)
      return run(systemContext(name, requestId), request, ...next)
    })
}
