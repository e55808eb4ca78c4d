import { z } from 'zod/mini'
import { toLine } from '@/lib/kernel/text'
import type { requiredLabels } from './messages'
import { dropTexts, missingFieldText, missingText } from './messages'
import {
  digitalFileUrl,
  moment,
  priceCents,
  productType,
  runQuantity,
  shippingNote,
  title,
  trimmed,
  typedNumber,
  unlessEmpty,
  usableSlug,
  wholeNumber,
} from './field-schema'
import { beforeStart } from './start-schema'
import { changedValues, newValues, optionName, wholeOption } from './option-schema'
import { startTexts } from './start-messages'
import {
  DEFAULT_DURATION,
  DURATIONS,
  MAX_DESCRIPTION,
  MAX_IMAGES,
  MAX_PER_BUYER,
  MAX_QUANTITY,
  inAppIds,
} from './rules'

/** The file fields of the create form: image0 to image4 (docs/contract.md#calls-about-drops). */
export const imageFields = Array.from({ length: MAX_IMAGES }, (_, position) => `image${position}`)

/** The text fields of POST /api/drops, which a multipart form sends as strings (docs/contract.md#calls-about-drops). */
export const createDropFields = z.strictObject({
  title,
  description: trimmed().check(z.maxLength(MAX_DESCRIPTION, dropTexts.descriptionTooLong)),
  price: priceCents,
  quantity: z.pipe(
    z._default(z.string(), '1'),
    z.pipe(
      z.string().check(
        z.trim(),
        z.regex(wholeNumber, dropTexts.quantityInvalid),
        z.refine((typed) => Number(typed) >= 1 && Number(typed) <= MAX_QUANTITY, dropTexts.quantityInvalid),
      ),
      z.transform(Number),
    ),
  ),
  optionName: unlessEmpty(optionName),
  options: z.optional(z.pipe(unlessEmpty(z.string()), newValues)),
  maxPerBuyer: z.optional(
    z.pipe(
      unlessEmpty(z.string().check(z.trim(), z.regex(/^(?:[1-9]|10)$/, dropTexts.maxPerBuyerInvalid))),
      z.transform((typed: string | undefined) => (typed === undefined ? undefined : Number(typed))),
    ),
  ),
  productType: z._default(productType, 'physical'),
  duration: z.pipe(
    z._default(z.string(), String(DEFAULT_DURATION)),
    z.pipe(
      z.string().check(
        z.trim(),
        z.refine((typed) => DURATIONS.some((hours) => String(hours) === typed), dropTexts.durationInvalid),
      ),
      z.transform(Number),
    ),
  ),
  /** When the drop starts; now, if it is left out. */
  startsAt: unlessEmpty(moment),
  shippingNote: z._default(shippingNote, ''),
  digitalFileUrl,
  customSlug: unlessEmpty(z.string().check(z.trim(), z.toLowerCase(), usableSlug)),
  idempotencyKey: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,100}$/, dropTexts.keyInvalid))),
})

/**
 * The fields with the check that an option has both a name and values. The OpenAPI document extends the fields without
 * this check.
 */
const createDropCall = createDropFields.check(wholeOption)

/** The integer id in the path of a call; anything else cannot name a drop. */
export const dropIdParams = z.object({
  id: z.pipe(
    z.string(),
    z.transform((typed: string) => (/^[0-9]{1,9}$/.test(typed) ? Number(typed) : 0)),
  ),
})

/** What the drop page reports about "Open in your browser" inside another app's browser. */
export const leaveSchema = z.object({ app: z.enum(inAppIds), outcome: z.enum(['opened', 'copied', 'failed']) })

/** POST /api/drops/{id}/relaunch. */
export const relaunchSchema = z.strictObject({
  duration: z.pipe(typedNumber, z.literal(DURATIONS, dropTexts.durationInvalid)),
  quantity: z.optional(runQuantity),
  /** The units of each value of the drop's option in the new run. */
  options: z.optional(changedValues),
})
export type RelaunchInput = z.infer<typeof relaunchSchema>

/**
 * The body of PATCH /api/drops/{id}: what may change while a drop runs (docs/product.md#editing-a-live-drop). Pictures
 * are sent separately.
 */
export const editDropSchema = z.strictObject({
  description: z.optional(
    trimmed().check(
      z.refine((typed) => toLine(typed) !== '', dropTexts.descriptionMissing),
      z.maxLength(MAX_DESCRIPTION, dropTexts.descriptionTooLong),
    ),
  ),
  quantity: z.optional(runQuantity),
  options: z.optional(changedValues),
  ...beforeStart,
  /** An empty value removes the limit. */
  maxPerBuyer: z.optional(
    z.union([
      z.null(),
      z.pipe(
        z.literal(''),
        z.transform(() => null),
      ),
      z.pipe(
        typedNumber,
        z
          .int(dropTexts.maxPerBuyerInvalid)
          .check(z.minimum(1, dropTexts.maxPerBuyerInvalid), z.maximum(MAX_PER_BUYER, dropTexts.maxPerBuyerInvalid)),
      ),
    ]),
  ),
})
export type EditDropFields = z.infer<typeof editDropSchema>
/** What is sent: amounts and choices as they are typed. */
export type EditDropTexts = z.input<typeof editDropSchema>

/**
 * The edit form of a drop that has `quantity` units, which can only be raised: the fields of the call, and new pictures.
 * A drop with options has the units of its values instead, which the server checks one by one. Until a scheduled drop
 * starts, its units can be lowered, too: then `quantity` is 1.
 */
export const editDropFormSchema = (quantity: number, hasOptions = false) =>
  z.extend(editDropSchema, {
    quantity: hasOptions
      ? z.optional(runQuantity)
      : z.optional(runQuantity.check(z.refine((typed) => typed >= quantity, dropTexts.quantityLower))),
    images: z.array(z.custom<File>()),
  })
export type EditDropForm = z.input<ReturnType<typeof editDropFormSchema>>

type RequiredField = keyof typeof requiredLabels

const isBlank = (value: unknown) => typeof value !== 'string' || toLine(value) === ''

/**
 * The missing fields of a form, in the form's order ("Missing: {list}", docs/product.md#required-fields). A duration
 * that is not sent takes the default; an empty one is missing.
 */
function missingFields(form: Record<string, unknown>, sentFiles: readonly string[]): RequiredField[] {
  const needsFile = form.productType === 'digital' && isBlank(form.digitalFileUrl) && !sentFiles.includes('digitalFile')
  return [
    ...(['title', 'description', 'price'] as const).filter((name) => isBlank(form[name])),
    ...(form.duration !== undefined && isBlank(form.duration) ? (['duration'] as const) : []),
    ...(sentFiles.some((name) => imageFields.includes(name)) ? [] : (['images'] as const)),
    ...(needsFile ? (['digitalFile'] as const) : []),
  ]
}

const aboutFiles = (name: RequiredField) => name === 'images' || name === 'digitalFile'

/**
 * All missing fields are named in one answer before any field is validated. A form that lacks only files passes here:
 * createDrop() reports them, after it has checked that the seller's plan allows such a drop.
 */
export const createDropSchema = (sentFiles: readonly string[]) =>
  z.pipe(
    z.record(z.string(), z.string()).check((context) => {
      const missing = missingFields(context.value, sentFiles)
      if (missing.every(aboutFiles)) return
      const message = `${dropTexts.missingTitle}. ${missingText(missing)}`
      context.issues.push({ code: 'custom', input: undefined, message, path: [missing[0]!] })
    }),
    // The object schema validates each key itself; the pipe only needs matching types.
    z.pipe(
      z.transform((form: Record<string, string>) => form as unknown as z.input<typeof createDropFields>),
      createDropCall,
    ),
  )
export type CreateDropFields = z.infer<typeof createDropFields>

/** A picture that was picked. The id stays the same while it is moved; `url` is where the browser finds it. */
export type PickedPicture = { id: string; file: File; url: string }

const createDropForm = z.strictObject({
  idempotencyKey: z.string(),
  title: z.string(),
  description: z.string(),
  price: z.string(),
  quantity: z.string(),
  optionName: z.string(),
  options: z.string(),
  productType,
  duration: z.number(),
  start: z.enum(['now', 'later']),
  startsAt: z.string(),
  maxPerBuyer: z.string(),
  shippingNote: z.string(),
  digitalSource: z.enum(['link', 'upload']),
  digitalFileUrl: z.string(),
  customSlug: z.string(),
  images: z.array(z.custom<PickedPicture>()),
  digitalFile: z.nullable(z.custom<File>()),
})
/** What the create form holds: texts as they were typed, files as they were picked. */
export type CreateDropForm = z.infer<typeof createDropForm>

export const emptyCreateDropForm: CreateDropForm = {
  idempotencyKey: '',
  title: '',
  description: '',
  price: '',
  quantity: '1',
  optionName: 'Size',
  options: '',
  productType: 'physical',
  duration: DEFAULT_DURATION,
  start: 'now',
  startsAt: '',
  maxPerBuyer: '',
  shippingNote: '',
  digitalSource: 'upload',
  digitalFileUrl: '',
  customSlug: '',
  images: [],
  digitalFile: null,
}

/** The text fields that the form sends, without those of other product types and without empty optional ones. */
export function createDropTexts(form: CreateDropForm) {
  const { idempotencyKey, title, description, price, quantity, productType, duration } = form
  const { start, startsAt, maxPerBuyer, shippingNote, customSlug, digitalSource, digitalFileUrl, optionName, options } =
    form
  return {
    ...{ idempotencyKey, title, description, price, productType, duration: String(duration) },
    // The quantity of a drop with options is the sum of its values. An empty name is sent too, so that it is reported.
    ...(options.trim() ? { optionName, options } : { quantity }),
    ...(productType === 'physical' && shippingNote ? { shippingNote } : {}),
    ...(start === 'later' ? { startsAt } : {}),
    ...(customSlug ? { customSlug } : {}),
    ...(maxPerBuyer ? { maxPerBuyer } : {}),
    ...(productType === 'digital' && digitalSource === 'link' ? { digitalFileUrl } : {}),
  }
}

/** What is missing in the create form, files included, in the order of the form. */
export function missingInForm(form: CreateDropForm): RequiredField[] {
  const hasFile = form.digitalSource === 'upload' && form.digitalFile !== null
  return missingFields(createDropTexts(form), [
    ...imageFields.slice(0, form.images.length),
    ...(hasFile ? ['digitalFile'] : []),
  ])
}

/** Checks the create form before it is sent: first for what is missing, then by the rules of the call. */
export const createDropFormSchema = z.pipe(
  createDropForm.check((context) => {
    const form = context.value
    for (const name of missingInForm(form)) {
      const field = name === 'digitalFile' && form.digitalSource === 'link' ? 'digitalFileUrl' : name
      context.issues.push({ code: 'custom', input: undefined, message: missingFieldText(name), path: [field] })
    }
    // An empty start would otherwise mean now, which is not what the seller chose.
    if (form.start === 'later' && form.startsAt === '') {
      context.issues.push({ code: 'custom', input: undefined, message: startTexts.missing, path: ['startsAt'] })
    }
  }),
  z.pipe(
    z.transform((form: CreateDropForm): z.input<typeof createDropFields> => createDropTexts(form)),
    createDropCall,
  ),
)
