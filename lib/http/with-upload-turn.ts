import 'server-only'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Context } from '@/lib/infra/context'
import type { RateLimit } from '@/lib/infra/rate-limit'
import { temporaryFolder } from '@/lib/infra/temporary-folder'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { processState } from '@/lib/kernel/process-state.mjs'
import { platformError } from '@/lib/platform/messages'
import { UPLOAD_LIMIT, UPLOADS_AT_ONCE } from '@/lib/uploads/rules'
import { assertWithinRateLimit } from './guard'

/** Called with the fields known so far, before the first byte of a file is written. It throws to refuse the upload. */
export type Admission = (fields: Record<string, unknown>) => Promise<void>

type Admit = (ctx: Context<UserActor>, fields: Record<string, unknown>) => Promise<void>

/** How many uploads of each user this process is receiving. */
const running = processState('uploads', () => new Map<number, number>())

/**
 * Calls `read` with the path of a temporary folder. The folder is removed when the request has ended or when `read`
 * fails. `read` must call `admission` before it writes a file. `admission` limits how many uploads a user may have
 * under way at the same time, calls `admit` for every other rule, limits the uploads per hour, and creates the folder.
 */
export async function withUploadTurn<Value>(
  ctx: Context,
  admit: Admit | undefined,
  read: (admission: Admission, folder: string) => Promise<Value>,
  perHour: RateLimit = UPLOAD_LIMIT,
) {
  const folder = path.join(temporaryFolder(), newId('upload'))
  let end = () => {}
  const dispose = async () => {
    end()
    await rm(folder, { recursive: true, force: true })
  }
  const admission: Admission = async (fields) => {
    if (ctx.actor.kind === 'user') {
      end = beginUpload(ctx.actor.userId)
      await admit?.(ctx as Context<UserActor>, fields)
      await assertWithinRateLimit(perHour, String(ctx.actor.userId))
    }
    await mkdir(folder, { recursive: true })
  }
  try {
    return { value: await read(admission, folder), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/**
 * Counts an upload as under way until the returned function is called.
 * @throws TOO_MANY_REQUESTS while the user has as many uploads under way as allowed
 */
function beginUpload(userId: number): () => void {
  const count = running.get(userId) ?? 0
  if (count >= UPLOADS_AT_ONCE) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds: 10 })
  running.set(userId, count + 1)
  let hasEnded = false
  return () => {
    if (hasEnded) return
    hasEnded = true
    const left = (running.get(userId) ?? 1) - 1
    if (left > 0) running.set(userId, left)
    else running.delete(userId)
  }
}
