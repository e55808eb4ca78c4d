import 'server-only'
import { createHash } from 'node:crypto'
import { boundedQueue } from '@/lib/infra/bounded-queue'
import type { Context } from '@/lib/infra/context'
import { consumeForNetwork } from '@/lib/infra/network-limit'
import type { RateLimit } from '@/lib/infra/rate-limit'
import { storage } from '@/lib/infra/storage'
import { processState } from '@/lib/kernel/process-state.mjs'
import { DAY_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'
import { rememberCopy } from '@/lib/uploads/claim-objects'

/** Increase this number when the pictures are drawn differently, so that stored pictures are not shown anymore. */
const DRAWING = 3
/** After this time, the sweep of stored objects removes a picture. It is drawn again when it is requested again. */
const KEEP_MS = DAY_MS

/** Each process draws only one picture at a time, because a drawing takes up to half a second and 40 MB. */
const inLine = boundedQueue({ name: 'drawing', atOnce: 1, waiting: 12, retryAfterSeconds: 5 })

/**
 * How many pictures one network may have drawn in ten minutes. The queue draws about twice as many, so one client that
 * asks for the pictures of all drops leaves room for those that are shared just now.
 */
const drawn: RateLimit = { name: 'drawn-pictures', points: 600, windowSeconds: 600 }

/** `onIncomplete` is called when something had to be left out, such as a font, so that the picture is not kept. */
type Draw = (onIncomplete: () => void) => Promise<Buffer>

/** Drawings under way in this process, by their key. */
const drawings = processState('drawings', () => new Map<string, Promise<Buffer>>())

/**
 * Returns a picture that is drawn once per state and then stored for a day. Requests to one process for the same
 * picture at the same time wait for the same drawing.
 * @param state everything that the picture shows.
 * @param extension the format that `draw` returns.
 * @throws QueueFull, TOO_MANY_REQUESTS
 */
export async function drawOnce(
  ctx: Context,
  state: string,
  draw: Draw,
  extension: 'png' | 'jpg' = 'png',
): Promise<Buffer> {
  const key = `previews/${createHash('sha256').update(`${DRAWING} ${state}`).digest('hex').slice(0, 40)}.${extension}`
  const stored = await readStored(key)
  if (stored) return stored
  // A network that has used up its drawings is refused on its own, so that nobody else gets its refusal.
  if (!drawings.has(key)) {
    const retryAfterSeconds = await consumeForNetwork(drawn, ctx)
    if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  }
  const underWay = drawings.get(key)
  if (underWay) return underWay
  const drawing = drawAndStore(ctx, key, draw).finally(() => drawings.delete(key))
  drawings.set(key, drawing)
  return drawing
}

async function readStored(key: string): Promise<Buffer | null> {
  const stored = await storage().open(key)
  return stored && Buffer.from(await new Response(stored.body).arrayBuffer())
}

function drawAndStore(ctx: Context, key: string, draw: Draw): Promise<Buffer> {
  return inLine(async () => {
    // Another request may have stored the picture while this one was counted against its limit or waited in the queue.
    const stored = await readStored(key)
    if (stored) return stored
    let isComplete = true
    const picture = await draw(() => (isComplete = false))
    // An incomplete picture is not stored, so the next request tries again.
    if (!isComplete) return picture
    const keepUntil = new Date(ctx.clock.now().getTime() + KEEP_MS)
    // If two processes draw the same picture, the second stores the same bytes again.
    await rememberCopy(ctx, { key, bytes: picture.length, keepUntil })
    await storage().put(key, picture)
    return picture
  })
}
