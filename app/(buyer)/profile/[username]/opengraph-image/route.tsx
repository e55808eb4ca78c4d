import { findProfileUser } from '@/lib/accounts/queries'
import { listProfileDrops } from '@/lib/drops/queries'
import { drawnPicture } from '@/lib/http/drawn-picture'
import { drawProfilePreview } from '@/lib/previews/draw-profile-preview'

// A route of our own instead of Next's file convention, because the image's address must change with what it shows.
export function GET(request: Request, { params }: { params: Promise<{ username: string }> }): Promise<Response> {
  return drawnPicture(request, async (ctx) => {
    const user = await findProfileUser(ctx, (await params).username)
    return user && drawProfilePreview(ctx, user, await listProfileDrops(ctx, user.id))
  })
}
