import 'server-only'
import { type Context, systemContext } from '@/lib/infra/context'
import { answer } from './answer'
import { assertCronSecret } from './assert-cron-secret'

type MachineRouteOptions<Incoming extends Request, Next extends unknown[]> = {
  /** Who acts, in the log and the audit. */
  name: string
  /** Lets in only who knows CRON_SECRET. Without it `run` decides, by a signature say, before it does anything. */
  needsSecret?: boolean
  /** @param next what Next hands a handler beside the request, for who declares it. */
  run: (ctx: Context, request: Incoming, ...next: Next) => Promise<Response>
}

/**
 * The way in for what other programs call: Stripe, the storage, schedulers, collectors, next-auth. They have no session, and
 * most have no origin and stay open while the platform is paused; the rest is as in route().
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
