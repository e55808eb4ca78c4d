import 'server-only'
import { headers } from 'next/headers'
import type { z } from 'zod/mini'
import type { ActionOutcome } from '@/lib/kernel/action-outcome'
import { type Context, createContext } from '@/lib/infra/context'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { clientIp } from './client-ip'
import { type ActorOf, assertPlatformOpen, authorize, type Who } from './guard'
import { containsNul, parseInput } from './input'
import { toAppError } from './answer'
import { readActor } from './session'
import { workAfterAnswer } from './work-after-answer'

type ActionOptions<W extends Who, Schema extends z.ZodMiniType, Result> = {
  who: W
  isAlwaysOpen?: boolean
  input: Schema
  run: (ctx: Context<ActorOf<W>>, input: z.infer<Schema>) => Promise<Result>
}

/**
 * Creates a server action, which serves a form of our own pages (docs/contract.md#calls). The action checks the kill
 * switch, the permission and the input in the same order as route(), but has no rate limit. Next itself checks the
 * origin (lib/http/forwarded-headers.ts). The action returns errors and does not throw them.
 */
export function action<W extends Who, Schema extends z.ZodMiniType, Result>(options: ActionOptions<W, Schema, Result>) {
  return async (raw: unknown): Promise<ActionOutcome<Result>> => {
    const requestId = newId('req')
    try {
      const actor = await readActor()
      if (!options.isAlwaysOpen) await assertPlatformOpen(actor)
      const allowed = authorize(options.who, actor)
      const input = parseInput(options.input, raw)
      if (containsNul(input)) throw platformError('INVALID_INPUT')
      const ip = clientIp(await headers())
      const ctx = createContext({ actor: allowed, requestId, ip })
      const value = await options.run(ctx, input)
      workAfterAnswer({ isWrite: true })
      return { ok: true, value }
    } catch (error) {
      const { message, code, field } = toAppError(error, requestId)
      return { ok: false, error: message, code, field }
    }
  }
}
