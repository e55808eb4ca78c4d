import 'server-only'
import type { z } from 'zod/mini'
import type { boundedQueue } from '@/lib/infra/bounded-queue'
import { type Context, createContext } from '@/lib/infra/context'
import { database } from '@/lib/infra/db'
import { networkOf } from '@/lib/kernel/network-address.mjs'
import type { RateLimit } from '@/lib/infra/rate-limit'
import type { Actor } from '@/lib/kernel/actor'
import type { AppError } from '@/lib/kernel/app-error'
import { platformError } from '@/lib/platform/messages'
import { isPlatformActive } from '@/lib/platform/queries'
import { answer } from './answer'
import { clientIp } from './client-ip'
import { cookieJar } from './cookies/cookie-jar'
import {
  type ActorOf,
  assertPlatformOpen,
  assertWithinRateLimit,
  assertWithinNetworkLimit,
  authorize,
  type Who,
} from './guard'
import { type InputReader, parseInput } from './input'
import { isSameOrigin } from './origin'
import { isShownToAPerson, refusalPage, type Written } from './plain-forms/refusal-page'
import { failed } from './responses'
import { readActor } from './session'

type RouteOptions<W extends Who, Input, Params extends z.ZodMiniType> = {
  who: W
  /** The error text for visitors, if the call has a text of its own (docs/contract.md#errors). */
  signInText?: string
  /**
   * The response is the same for everyone, so a shared cache may serve it. No cookie is read while the platform is
   * open.
   */
  isPublic?: boolean
  /** The call stays open while the platform is paused (docs/product.md#kill-switch lists these calls). */
  isAlwaysOpen?: boolean
  limit?: RateLimit
  /** A limit for each signed-in account, whatever network its calls come from. */
  limitPerAccount?: RateLimit
  /** The operation is expensive, so it waits in a bounded queue. When the queue is full, the call gets a 503. */
  queue?: ReturnType<typeof boundedQueue>
  params?: Params
  input?: InputReader<Input>
  /** Returns the text that a person typed, so that the refusal page can show it again; null when there is none. */
  written?: (input: Input, params: z.infer<Params>, refusal: AppError) => Written | null
  run: (ctx: Context<ActorOf<W>>, input: Input, params: z.infer<Params>, request: Request) => Promise<Response>
}

type NextContext = { params: Promise<Record<string, string | string[] | undefined>> }

/**
 * Builds the handler of a call or a form that browsers use. The handler checks the origin, reads the actor from the
 * database, checks the kill switch, the permission and the rate limit, reads the input, and runs the operation, in this
 * order. The sender decides how long the input takes to arrive, so the actor of a signed-in user is read again
 * afterwards. Otherwise someone could use a session that has ended meanwhile. Calls by machines go through
 * machineRoute().
 */
export function route<W extends Who, Input = undefined, Params extends z.ZodMiniType = z.ZodMiniType<unknown>>(
  options: RouteOptions<W, Input, Params>,
) {
  return async (request: Request, next: NextContext): Promise<Response> => {
    let dispose: (() => Promise<void>) | undefined
    let written: ((refusal: AppError) => Written | null) | undefined
    const respond = async (requestId: string): Promise<Response> => {
      if (!isSameOrigin(request)) throw platformError('CROSS_ORIGIN')
      // A public response needs the actor only while the platform is closed to everyone but administrators.
      const isForAll = options.isPublic && (await isPlatformActive(database()))
      const actorNow = async () => readActor(await cookieJar(request))
      const actor: Actor = isForAll ? { kind: 'visitor' } : await actorNow()
      if (!options.isAlwaysOpen) await assertPlatformOpen(actor)
      const allowed = authorize(options.who, actor, options.signInText)
      const ip = clientIp(request.headers)
      if (options.limit) await assertWithinNetworkLimit(options.limit, { ip, network: networkOf(ip) })
      if (options.limitPerAccount && allowed.kind === 'user') {
        await assertWithinRateLimit(options.limitPerAccount, String(allowed.userId))
      }
      const params = options.params ? parseInput(options.params, await next.params) : (undefined as z.infer<Params>)
      let ctx = createContext({ actor: allowed, requestId, ip })
      const read = await options.input?.read(request, ctx)
      dispose = read?.dispose
      if (read && allowed.kind === 'user') {
        ctx = { ...ctx, actor: authorize(options.who, await actorNow(), options.signInText) }
      }
      written = (refusal) => options.written?.(read?.value as Input, params, refusal) ?? null
      const run = () => options.run(ctx, read?.value as Input, params, request)
      return options.queue ? options.queue(run) : run()
    }
    const refuse = (refusal: AppError, requestId: string) =>
      isShownToAPerson(request) ? refusalPage(refusal, request, written?.(refusal)) : failed(refusal, requestId)
    try {
      return await answer(request, respond, refuse)
    } finally {
      await dispose?.()
    }
  }
}
