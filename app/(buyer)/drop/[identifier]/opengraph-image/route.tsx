import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { drawDropPreview } from '@/lib/previews/draw-drop-preview'
import { database } from '@/lib/infra/db'

// A route of our own instead of Next's file convention, because the image's address must change with the drop's state.
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ identifier: string }> },
): Promise<Response> {
  const row = await findPublicDrop(database(), (await params).identifier)
  if (!row) return new Response('Not found', { status: 404 })
  const image = await drawDropPreview(toDropView(row), row.moderation === 'allowed' ? (row.images[0] ?? null) : null)
  return new Response(new Uint8Array(image), {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=300, s-maxage=300' },
  })
}
