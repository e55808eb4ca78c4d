import { findShownDrop } from '@/lib/drops/history/history-queries'
import { drawnPicture } from '@/lib/http/drawn-picture'
import { drawDropPreview } from '@/lib/previews/draw-drop-preview'
import { toPreviewedDrop } from '@/lib/previews/drop-metadata'

// Draws the preview image. Next's file convention is not used, because the image's URL must change with its content.
export function GET(request: Request, { params }: { params: Promise<{ identifier: string }> }): Promise<Response> {
  return drawnPicture(request, 'image/png', async (ctx) => {
    const row = await findShownDrop(ctx, (await params).identifier)
    if (!row) return null
    return drawDropPreview(ctx, toPreviewedDrop(row), row.moderation === 'allowed' ? (row.images[0] ?? null) : null)
  })
}
