import { createDrop } from '@/lib/drops/create-drop'
import { dropToasts } from '@/lib/drops/messages'
import { createDropSchema } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { createDropLimits } from '@/lib/http/create-drop-limits'
import { created } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { withFiles } from '@/lib/http/with-files'
import { inOrder } from '@/lib/uploads/in-order'

export const POST = route({
  who: 'activeSeller',
  signInText: dropToasts.authenticationRequired.description,
  input: withFiles(createDropSchema, createDropLimits, { isJsonEnough: true }),
  run: async (ctx, { fields, files }) => {
    const images = inOrder(files.filter((file) => file.field !== 'digitalFile'))
    const digitalFile = files.find((file) => file.field === 'digitalFile')
    return created(toSellerDropView(await createDrop(ctx, { fields, images, digitalFile })))
  },
})
