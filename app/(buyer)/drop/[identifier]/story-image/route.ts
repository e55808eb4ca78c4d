import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { safeDecode } from '@/lib/http/safe-decode'
import { drawStory } from '@/lib/previews/draw-story'
import { database } from '@/lib/infra/db'

// The image is the same for everybody, like the drop page, so no session is checked.
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ identifier: string }> },
): Promise<Response> {
  const row = await findPublicDrop(database(), safeDecode((await params).identifier))
  if (!row || row.moderation !== 'allowed') return new Response('Not found', { status: 404 })
  const image = await drawStory(toDropView(row), row.images[0] ?? null)
  return new Response(new Uint8Array(image), {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=300, s-maxage=300' },
  })
}
