import { createDrop } from '@/lib/drops/create-drop'
import { dropToasts } from '@/lib/drops/messages'
import { plainDropTexts } from '@/lib/drops/plain-messages'
import type { PlainDropTexts } from '@/lib/drops/plain-schema'
import { createDropSchema } from '@/lib/drops/schema'
import { toSellerDropView } from '@/lib/drops/view'
import { parseInput } from '@/lib/http/input'
import { plainDropForm, shownFields } from '@/lib/http/plain-forms/plain-drop-form'
import { plainDropInput, type PlainDropInput } from '@/lib/http/plain-forms/plain-drop-input'
import { homeLink, plainRefusal } from '@/lib/http/plain-forms/plain-refusal'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'
import type { UserActor } from '@/lib/kernel/actor'
import { newId } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import { refusedPage } from '@/lib/platform/messages'
import { inOrder } from '@/lib/uploads/in-order'

// Receives the form with which a seller publishes a drop without JavaScript. Its checks and limits are those of
// POST /api/drops. The path is below /api, because Next cuts bodies of other paths at 10 MB (ADR 0004).
export const POST = route({
  who: 'activeSeller',
  signInText: dropToasts.authenticationRequired.description,
  input: plainDropInput,
  run: async (ctx, posted, _params, request) => {
    try {
      if (posted.refusal) throw posted.refusal
      const fields = parseInput(schemaFor(posted), sentFields(posted.texts))
      const { identifier } = toSellerDropView(await createDrop(ctx, { fields, images: inOrder(posted.files) }))
      return seeOther(`/success?drop=${encodeURIComponent(identifier)}`)
    } catch (error) {
      if (error instanceof AppError && isShownToAPerson(request)) return formAgain(error, posted, ctx.actor)
      throw error
    }
  },
})

const schemaFor = ({ files }: PlainDropInput) => createDropSchema(files.map(({ field }) => field))

/** Returns the fields that POST /api/drops would get, without those of other product types. */
function sentFields({ condition, shippingNote, digitalFileUrl, ...fields }: PlainDropTexts): Record<string, string> {
  return {
    ...fields,
    ...(fields.productType === 'physical' ? { condition, shippingNote } : {}),
    ...(fields.productType === 'digital' ? { digitalFileUrl } : {}),
  }
}

/** Returns a page with the form as it was sent, and says at each field what is wrong there. */
function formAgain(error: AppError, posted: PlainDropInput, seller: UserActor): Response {
  const problems = problemsOf(error, posted)
  const { productTypes } = planRules(seller)
  // The key of a form that was published already belongs to that drop.
  const isKeyGood = posted.texts.idempotencyKey !== '' && error.code !== 'FORM_USED' && !problems.has('idempotencyKey')
  const values = isKeyGood ? posted.texts : { ...posted.texts, idempotencyKey: newId('form') }
  const isAtField = shownFields(productTypes).some((name) => problems.has(name))
  return plainRefusal(error, {
    title: plainDropTexts.refusedTitle,
    text: isAtField ? refusedPage.markedFields : error.message,
    actions: plainDropForm({ values, productTypes, problems, isAgain: true }) + homeLink,
  })
}

/** Returns the text of the first problem of each field. A problem of any photo is at `images`. */
function problemsOf(error: AppError, posted: PlainDropInput): Map<string, string> {
  const problems = new Map<string, string>()
  const note = (field: string, text: string) => {
    const name = /^image\d+$/.test(field) ? 'images' : field === 'digitalFile' ? 'digitalFileUrl' : field
    if (!problems.has(name)) problems.set(name, text)
  }
  if (error.field) note(error.field, error.message)
  // The error names only the first problem. A form that was not read to its end has not been checked.
  const read = posted.refusal ? null : schemaFor(posted).safeParse(sentFields(posted.texts))
  for (const { path, message } of read?.error?.issues ?? []) note(String(path[0]), message)
  return problems
}
