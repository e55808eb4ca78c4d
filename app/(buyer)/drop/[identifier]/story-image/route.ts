import { findShownDrop } from '@/lib/drops/history/history-queries'
import { drawnPicture } from '@/lib/http/drawn-picture'
import { safeDecode } from '@/lib/http/safe-decode'
import { drawStory } from '@/lib/previews/draw-story'
import { toPreviewedDrop } from '@/lib/previews/drop-metadata'

// Anyone may fetch the story image of a live or scheduled drop. In any other state, only the drop's seller may. A drop
// that waits for a review or was refused has no story image.
export function GET(request: Request, { params }: { params: Promise<{ identifier: string }> }): Promise<Response> {
  return drawnPicture(request, 'image/jpeg', async (ctx, whoAsks) => {
    const row = await findShownDrop(ctx, safeDecode((await params).identifier))
    if (!row || row.moderation !== 'allowed') return null
    const drop = toPreviewedDrop(row)
    if (drop.state !== 'live' && drop.state !== 'upcoming') {
      const actor = await whoAsks()
      if (actor.kind !== 'user' || actor.userId !== row.userId) return null
    }
    return drawStory(ctx, drop, row.images[0] ?? null)
  })
}
