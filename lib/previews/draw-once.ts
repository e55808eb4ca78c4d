import 'server-only'
import { createHash } from 'node:crypto'
import { boundedQueue } from '@/lib/infra/bounded-queue'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import { processState } from '@/lib/kernel/process-state.mjs'
import { DAY_MS } from '@/lib/kernel/time'

/** To be increased when the pictures are drawn differently, so that stored ones are not shown any more. */
const DRAWING = 1
/** Stored pictures are removed by the sweep of stored objects after this time, and drawn again when they are needed. */
const KEEP_MS = DAY_MS

/** A drawing takes up to half a second and 40 MB. */
const inLine = boundedQueue({ name: 'drawing', atOnce: 1, waiting: 12, retryAfterSeconds: 5 })

/** `onIncomplete` is called when something had to be left out, such as a font, so that the picture is not kept. */
type Draw = (onIncomplete: () => void) => Promise<Buffer>

/** Drawings under way in this process, by their key. */
const drawings = processState('drawings', () => new Map<string, Promise<Buffer>>())

/**
 * Returns a PNG, drawn once per state: it is in the storage afterwards, and requests for the same picture wait for the same
 * drawing.
 * @param state everything that the picture shows.
 * @throws QueueFull
 */
export async function drawOnce(ctx: Context, state: string, draw: Draw): Promise<Buffer> {
  const key = `previews/${createHash('sha256').update(`${DRAWING} ${state}`).digest('hex').slice(0, 40)}.png`
  const underWay = drawings.get(key)
  if (underWay) return underWay
  const drawing = findOrDraw(ctx, key, draw).finally(() => drawings.delete(key))
  drawings.set(key, drawing)
  return drawing
}

async function findOrDraw(ctx: Context, key: string, draw: Draw): Promise<Buffer> {
  const stored = await storage().open(key)
  if (stored) return Buffer.from(await new Response(stored.body).arrayBuffer())
  return inLine(async () => {
    let isComplete = true
    const png = await draw(() => (isComplete = false))
    // The next request tries again.
    if (!isComplete) return png
    const keepUntil = new Date(ctx.clock.now().getTime() + KEEP_MS)
    // Two processes may draw the same picture; the second replaces it by the same bytes.
    await ctx.db.storedObject.upsert({
      where: { key },
      create: { key, bytes: png.length, keepUntil },
      update: { bytes: png.length, keepUntil },
    })
    await storage().put(key, png)
    return png
  })
}
