import 'server-only'
import { SECOND_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'

export type BodyTimes = {
  /** How long the sender may be silent. */
  silenceMs: number
  /** How long the whole body may take. */
  maxMs: number
}

/** The time limits of bodies that are not uploads. A few kilobytes arrive in time even on a very slow connection. */
const SMALL_BODY: BodyTimes = { silenceMs: 15 * SECOND_MS, maxMs: 30 * SECOND_MS }

/**
 * Reads a body piece by piece. When the caller stops early, the HTTP server discards the rest of the body
 * (lib/server/drain-request.mjs). Canceling the body here would close the connection before the response is sent.
 * @throws BODY_TIMED_OUT when the sender is too slow, MALFORMED_BODY when the connection breaks.
 */
export async function* readBody(request: Request, times: BodyTimes = SMALL_BODY): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return
  const end = performance.now() + times.maxMs
  try {
    for (;;) {
      const part = await withinTime(reader.read(), Math.min(times.silenceMs, end - performance.now()))
      if (part.done) return
      yield part.value
    }
  } finally {
    reader.releaseLock()
  }
}

async function withinTime<Value>(reading: Promise<Value>, limitMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(platformError('BODY_TIMED_OUT')), Math.max(0, limitMs))
  })
  const read = reading.catch((error: unknown) => {
    throw platformError('MALFORMED_BODY', { cause: error })
  })
  try {
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}
