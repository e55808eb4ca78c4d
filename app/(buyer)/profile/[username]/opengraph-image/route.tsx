import { findProfileUser } from '@/lib/accounts/queries'
import { listProfileDrops } from '@/lib/drops/queries'
import { drawnPicture } from '@/lib/http/drawn-picture'
import { drawProfilePreview } from '@/lib/previews/draw-profile-preview'

// Draws the preview image. Next's file convention is not used, because the image's URL must change with its content.
export function GET(request: Request, { params }: { params: Promise<{ username: string }> }): Promise<Response> {
  return drawnPicture(request, 'image/png', async (ctx) => {
    const user = await findProfileUser(ctx, (await params).username)
    return user && drawProfilePreview(ctx, user, await listProfileDrops(ctx, user.id))
  })
}
