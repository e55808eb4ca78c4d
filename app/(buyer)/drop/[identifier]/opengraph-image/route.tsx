import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { drawnPicture } from '@/lib/http/drawn-picture'
import { drawDropPreview } from '@/lib/previews/draw-drop-preview'

// A route of our own instead of Next's file convention, because the image's address must change with the drop's state.
export function GET(request: Request, { params }: { params: Promise<{ identifier: string }> }): Promise<Response> {
  return drawnPicture(request, async (ctx) => {
    const row = await findPublicDrop(ctx, (await params).identifier)
    if (!row) return null
    return drawDropPreview(ctx, toDropView(row), row.moderation === 'allowed' ? (row.images[0] ?? null) : null)
  })
}
