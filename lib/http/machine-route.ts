import 'server-only'
import type { NextRequest } from 'next/server'
import { type Context, systemContext } from '@/lib/infra/context'
import { answer } from './answer'
import { assertMachine } from './machine'

type MachineRouteOptions<Next> = {
  /** Who acts, in the log and the audit. */
  name: string
  /** Lets in only who knows CRON_SECRET. Without it `run` decides, by a signature say, before it does anything. */
  needsSecret?: boolean
  run: (ctx: Context, request: NextRequest, next: Next) => Promise<Response>
}

/**
 * The way in for what other programs call: Stripe, the storage, schedulers, collectors, next-auth. They have no session, and
 * most have no origin and stay open while the platform is paused; the rest is as in route().
 */
export function machineRoute<Next = unknown>({ name, needsSecret = false, run }: MachineRouteOptions<Next>) {
  return (request: NextRequest, next: Next): Promise<Response> =>
    answer(request, async (requestId) => {
      if (needsSecret) assertMachine(request)
      return run(systemContext(name, requestId), request, next)
    })
}
