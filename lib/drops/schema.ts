import { z } from 'zod/mini'
import { MAX_PRICE_CENTS, MIN_PRICE_CENTS, parsePriceCents } from '@/lib/kernel/money'
import { productTypes } from '@/lib/kernel/product-type'
import { toLine } from '@/lib/kernel/text'
import type { requiredLabels } from './messages'
import { dropTexts, missingFieldText, missingText } from './messages'
import { changedValues, newValues, optionName, wholeOption } from './option-schema'
import {
  DEFAULT_DURATION,
  DURATIONS,
  MAX_DESCRIPTION,
  MAX_IMAGES,
  MAX_PER_BUYER,
  MAX_QUANTITY,
  MAX_SHIPPING_NOTE,
  MAX_TITLE,
  slugProblem,
  inAppIds,
} from './rules'

/** The file fields of the create form: image0 to image4 (docs/contract.md#calls-about-drops). */
export const imageFields = Array.from({ length: MAX_IMAGES }, (_, position) => `image${position}`)

const trimmed = () => z.string().check(z.trim())

/** Parses a typed price into integer cents, or says what is wrong with it (docs/product.md#prices-and-quantities). */
function readPrice(typed: string): { cents: number } | { problem: string } {
  const cents = parsePriceCents(typed)
  if (cents === null || cents <= 0) return { problem: `${dropTexts.invalidPriceTitle}. ${dropTexts.invalidPrice}` }
  if (cents < MIN_PRICE_CENTS) return { problem: dropTexts.priceTooLow }
  if (cents > MAX_PRICE_CENTS) return { problem: dropTexts.priceTooHigh }
  return { cents }
}

/** Whether this is a link that a buyer's browser can open safely. */
function isLink(typed: string): boolean {
  const link = typed.trim()
  return /^https:\/\/[^\s/]+\.[^\s]+$/i.test(link) && URL.canParse(link)
}

const price = trimmed().check((context) => {
  const result = readPrice(context.value)
  if ('problem' in result) context.issues.push({ code: 'custom', input: context.value, message: result.problem })
})

const productType = z.enum(productTypes, dropTexts.typeInvalid)

const wholeNumber = /^[0-9]{1,9}$/

/** A field that may be left out or sent empty. */
const unlessEmpty = <Schema extends z.ZodMiniType<string, string>>(schema: Schema) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? undefined : value)),
      z.optional(schema),
    ),
  )

const usableSlug = z.check<string>((context) => {
  const problem = slugProblem(context.value)
  if (problem) context.issues.push({ code: 'custom', input: context.value, message: dropTexts[problem] })
})

/** The text fields of POST /api/drops, which a multipart form sends as strings (docs/contract.md#calls-about-drops). */
export const createDropFields = z.strictObject({
  title: z.string().check(z.overwrite(toLine), z.maxLength(MAX_TITLE, dropTexts.titleTooLong)),
  description: trimmed().check(z.maxLength(MAX_DESCRIPTION, dropTexts.descriptionTooLong)),
  price: z.pipe(
    price,
    z.transform((typed: string) => parsePriceCents(typed) ?? 0),
  ),
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
  shippingNote: z._default(trimmed().check(z.maxLength(MAX_SHIPPING_NOTE, dropTexts.shippingNoteTooLong)), ''),
  digitalFileUrl: unlessEmpty(
    z.string().check(z.trim(), z.maxLength(2_000, dropTexts.linkInvalid), z.refine(isLink, dropTexts.linkInvalid)),
  ),
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

/** A number, or a number as a string from a form. */
const typedNumber = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'string' && wholeNumber.test(value.trim()) ? Number(value) : value,
  ),
  z.unknown(),
)
const runQuantity = z.pipe(
  typedNumber,
  z
    .int(dropTexts.quantityInvalid)
    .check(z.minimum(1, dropTexts.quantityInvalid), z.maximum(MAX_QUANTITY, dropTexts.quantityInvalid)),
)

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

/**
 * The edit form of a drop that has `quantity` units, which can only be raised: the fields of the call, and new pictures.
 * A drop with options has the units of its values instead, which the server checks one by one.
 */
export const editDropFormSchema = (quantity: number, hasOptions = false) =>
  z.extend(editDropSchema, {
    quantity: hasOptions
      ? z.optional(runQuantity)
      : z.optional(runQuantity.check(z.refine((typed) => typed >= quantity, dropTexts.quantityLower))),
    images: z.array(z.custom<File>()),
  })

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
  const { maxPerBuyer, shippingNote, customSlug, digitalSource, digitalFileUrl, optionName, options } = form
  return {
    ...{ idempotencyKey, title, description, price, productType, duration: String(duration) },
    // The quantity of a drop with options is the sum of its values. An empty name is sent too, so that it is reported.
    ...(options.trim() ? { optionName, options } : { quantity }),
    ...(productType === 'physical' && shippingNote ? { shippingNote } : {}),
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
  }),
  z.pipe(
    z.transform((form: CreateDropForm): z.input<typeof createDropFields> => createDropTexts(form)),
    createDropCall,
  ),
)
