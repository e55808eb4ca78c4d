import { z } from 'zod/mini'
import { accountError } from '@/lib/accounts/messages'
import { PROFILE_IMAGE_MAX_BYTES } from '@/lib/accounts/rules'
import { removeProfileImage, setProfileImage } from '@/lib/accounts/set-profile-image'
import { toUserView } from '@/lib/accounts/view'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { withFiles } from '@/lib/http/with-files'
import { platformError } from '@/lib/platform/messages'

const uploadLimits = {
  files: { profileImage: { maxBytes: PROFILE_IMAGE_MAX_BYTES } },
  unexpectedFile: (field: string) => platformError('INVALID_INPUT', { field }),
  maxBytes: PROFILE_IMAGE_MAX_BYTES + 64 * 1024,
  tooLarge: () => accountError('IMAGE_TOO_LARGE'),
}

export const POST = route({
  who: 'activeSeller',
  limit: { name: 'profile-image', points: 60, windowSeconds: 3600 },
  input: withFiles(z.strictObject({}), uploadLimits),
  run: async (ctx, { files }) => {
    const user = toUserView(await setProfileImage(ctx, files), ctx.clock.now())
    return ok({ user, imageUrl: user.profileImageUrl })
  },
})

export const DELETE = route({
  who: 'activeSeller',
  run: async (ctx) => ok({ user: toUserView(await removeProfileImage(ctx), ctx.clock.now()) }),
})
