import 'server-only'
import { assertMayPublish } from '@/lib/drops/create-drop'
import { plainDropFields, type PlainDropTexts } from '@/lib/drops/plain-schema'
import { AppError } from '@/lib/kernel/app-error'
import { createDropLimits } from '../create-drop-limits'
import type { InputReader } from '../input'
import { multipart, type UploadedFile, type UploadLimits } from '../multipart'

/** `refusal` is the error of a form that could not be read to its end. It then has only the texts before the photos. */
export type PlainDropInput = { texts: PlainDropTexts; files: UploadedFile[]; refusal?: AppError }

/** The limits of POST /api/drops. The form has no field for a digital file. */
const { digitalFile: _none, ...photos } = createDropLimits.files
const limits: UploadLimits = { ...createDropLimits, files: photos }

/**
 * Reads the form like POST /api/drops, with the same limits. A refusal does not end the request here, so that the
 * response can show the form again with the texts that were sent before the photos.
 */
export const plainDropInput: InputReader<PlainDropInput> = {
  async read(request, ctx) {
    let sent: Record<string, unknown> = {}
    const admit: UploadLimits['admit'] = async (seller, fields) => {
      sent = { ...fields }
      await assertMayPublish(seller, fields)
    }
    try {
      const { value, dispose } = await multipart(plainDropFields, { ...limits, admit }).read(request, ctx)
      return { value: { texts: value.fields, files: value.files }, ...(dispose ? { dispose } : {}) }
    } catch (error) {
      const texts = plainDropFields.safeParse(sent)
      if (!(error instanceof AppError) || !texts.success) throw error
      return { value: { texts: texts.data, files: [], refusal: error } }
    }
  },
}
