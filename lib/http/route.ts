import 'server-only'
import type { z } from 'zod/mini'
import { systemClock } from '@/lib/infra/clock'
import type { Context } from '@/lib/infra/context'
import { db, isDatabaseUnavailable } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { countAnswer } from '@/lib/infra/metrics'
import { isStorageUnavailable } from '@/lib/infra/storage/driver'
import { isStripeUnavailable } from '@/lib/infra/stripe'
import type { RateLimit } from '@/lib/infra/rate-limit'
import type { Actor } from '@/lib/kernel/actor'
import { AppError } from '@/lib/kernel/app-error'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { isPlatformActive } from '@/lib/platform/queries'
import { clientIp } from './client-ip'
import { type ActorOf, assertPlatformOpen, assertWithinLimit, authorise, type Who } from './guard'
import { type InputReader, parseInput } from './input'
import { isSameOrigin } from './origin'
import { isShownToAPerson, refusalPage, type Written } from './refusal-page'
import { failed } from './responses'
import { readActor } from './session'

type RouteOptions<W extends Who, Input, Params extends z.ZodMiniType> = {
  who: W
  /** What somebody who is not signed in is told, where SPEC §5 has words for it. */
  signInText?: string
  /** The same answer for everybody: no cookie is read, so that a shared cache may serve it. */
  isPublic?: boolean
  /** Stays open while the platform is disabled (DECISIONS 38 lists which). */
  isAlwaysOpen?: boolean
  limit?: RateLimit
  params?: Params
  input?: InputReader<Input>
  /** The words a person typed, for the page that refuses them; null when there are none. */
  written?: (input: Input, params: z.infer<Params>, refusal: AppError) => Written | null
  run: (ctx: Context<ActorOf<W>>, input: Input, params: z.infer<Params>, request: Request) => Promise<Response>
}

type NextContext = { params: Promise<Record<string, string | string[] | undefined>> }

/**
 * The way in for every API call, always in this order: request id, same origin, who is asking (from the database),
 * may they, kill switch, rate limit, input, the verb. The only place that catches.
 */
export function route<W extends Who, Input = undefined, Params extends z.ZodMiniType = z.ZodMiniType<unknown>>(
  options: RouteOptions<W, Input, Params>,
) {
  return async (request: Request, next: NextContext): Promise<Response> => {
    const requestId = newId('req')
    let dispose: (() => Promise<void>) | undefined
    let written: ((refusal: AppError) => Written | null) | undefined
    try {
      if (!isSameOrigin(request)) throw platformError('CROSS_ORIGIN')
      // A public answer asks who it is only when the platform is closed to everyone but admins.
      const actor: Actor = options.isPublic && (await isPlatformActive()) ? { kind: 'visitor' } : await readActor()
      if (!options.isAlwaysOpen) await assertPlatformOpen(actor)
      const allowed = authorise(options.who, actor, options.signInText)
      const ip = clientIp(request.headers)
      if (options.limit) await assertWithinLimit(options.limit, ip)
      const params = options.params ? parseInput(options.params, await next.params) : (undefined as z.infer<Params>)
      const ctx: Context<ActorOf<W>> = {
        actor: allowed,
        db: db(),
        clock: systemClock,
        log: log().child({ requestId }),
        requestId,
        ip,
      }
      const read = await options.input?.read(request, ctx)
      dispose = read?.dispose
      written = (refusal) => options.written?.(read?.value as Input, params, refusal) ?? null
      return seal(await options.run(ctx, read?.value as Input, params, request), requestId)
    } catch (error) {
      const refusal = toAppError(error, requestId, request)
      const answer = isShownToAPerson(request)
        ? refusalPage(refusal, request, written?.(refusal))
        : failed(refusal, requestId)
      return seal(answer, requestId)
    } finally {
      await dispose?.()
    }
  }
}

/** Every answer says which line of the log is its own, and is counted. */
function seal(response: Response, requestId: string): Response {
  response.headers.set('X-Request-Id', requestId)
  countAnswer(response.status)
  return response
}

/** Expected errors pass; anything else goes to the log and leaves as the generic text. */
export function toAppError(error: unknown, requestId: string, request?: Request): AppError {
  if (error instanceof AppError) {
    log().info({ requestId, code: error.code, status: error.status }, 'refused')
    return error
  }
  const path = request ? new URL(request.url).pathname : undefined
  const cause = describe(error)
  if (isDatabaseUnavailable(error)) {
    log().error({ requestId, path, cause: cause.message }, 'database unavailable')
    return platformError('UNAVAILABLE', { retryAfterSeconds: 2 })
  }
  if (isStripeUnavailable(error)) {
    log().error({ requestId, path, cause: cause.message }, 'Stripe unavailable')
    return platformError('UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  if (isStorageUnavailable(error)) {
    log().error({ requestId, path, cause: cause.message }, 'storage unavailable')
    return platformError('UNAVAILABLE', { retryAfterSeconds: 5 })
  }
  log().error({ requestId, path, cause }, 'unexpected error')
  return platformError('INTERNAL')
}

/** For the log: the first line and where it happened. Further lines of a message may hold what was written. */
function describe(error: unknown): { name: string; message: string; frames?: string[] } {
  if (!(error instanceof Error)) return { name: typeof error, message: String(error).slice(0, 200) }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, message: error.message.split('\n')[0] ?? '', frames }
}
