import { findProfileUser } from '@/lib/accounts/queries'
import { listProfileDrops } from '@/lib/drops/queries'
import { drawProfilePreview } from '@/lib/previews/draw-profile-preview'
import { database } from '@/lib/infra/db'

// A route of our own instead of Next's file convention, because the image's address must change with what it shows.
export async function GET(_request: Request, { params }: { params: Promise<{ username: string }> }): Promise<Response> {
  const user = await findProfileUser(database(), (await params).username)
  if (!user) return new Response('Not found', { status: 404 })
  const image = await drawProfilePreview(user, await listProfileDrops(database(), user.id))
  return new Response(new Uint8Array(image), {
    headers: { 'Content-Type': 'image/png', 'Cache-Control': 'public, max-age=300, s-maxage=300' },
  })
}
