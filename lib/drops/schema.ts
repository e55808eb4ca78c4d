import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { toLine } from '@/lib/kernel/text'
import type { requiredLabels } from './messages'
import { dropTexts, missingFieldText, missingText } from './messages'
import {
  changedLimit,
  condition,
  digitalFileUrl,
  idInPath,
  moment,
  otherNameIssues,
  priceCents,
  productType,
  runQuantity,
  shippingNote,
  shipsFrom,
  shipsWithin,
  title,
  trimmed,
  typedDuration,
  typedLimit,
  typedNumber,
  unlessEmpty,
  usableSlug,
  wholeNumber,
  withOwnNames,
} from './field-schema'
import { earlyFields, earlyForm, earlyTextsOf, emptyEarlyForm } from './start/early-schema'
import { beforeStart } from './start/start-schema'
import { changedValues, editedChoices, newValues, optionName, wholeOption } from './options/option-schema'
import { keyedGoods, listedKeys } from './keys/key-schema'
import * as edition from './editions/edition-schema'
import { startTexts } from './start/start-messages'
import { payableZones, shippingZones } from './delivery/zone-schema'
import { DEFAULT_DURATION, DURATIONS, MAX_DESCRIPTION, MAX_IMAGES, MAX_QUANTITY, inAppIds } from './rules'

/** The file fields of the create form: image0 to image4 (docs/contract.md#calls-about-drops). */
export const imageFields = Array.from({ length: MAX_IMAGES }, (_, position) => `image${position}`)

/** The text fields of POST /api/drops, which a multipart form sends as strings (docs/contract.md#calls-about-drops). */
export const createDropFields = z.strictObject({
  title,
  description: trimmed().check(...maxCharacters(MAX_DESCRIPTION, dropTexts.descriptionTooLong)),
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
  maxPerBuyer: typedLimit,
  /** Whether each unit gets a number when it is sold. */
  isNumbered: edition.isNumbered,
  /** Whether the drop sells as many units as are ordered before its end. The quantity is then the cap. */
  isOpenEdition: edition.isOpenEdition,
  productType: z._default(productType, 'physical'),
  /** Only for goods that are shipped. Without this field they are new. */
  condition: unlessEmpty(condition),
  duration: typedDuration,
  /** When the drop starts. Without this field it starts now. */
  startsAt: unlessEmpty(moment),
  ...earlyFields,
  shippingNote: z._default(shippingNote, ''),
  shipsFrom: unlessEmpty(shipsFrom),
  shipsWithin,
  /** Where parcels are sent to and what that costs. Without this field the price includes shipping. */
  shippingZones: z.optional(shippingZones),
  digitalFileUrl,
  /** One key per line. The quantity of a drop with keys is their number. */
  keys: listedKeys,
  customSlug: unlessEmpty(z.string().check(z.trim(), z.toLowerCase(), usableSlug)),
  idempotencyKey: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{1,100}$/, dropTexts.keyInvalid))),
})

/**
 * The fields, with the checks that an option has both a name and values, that no service is numbered, that only digital
 * drops without an option have keys, that the values of an option have units unless the edition is open, that an open
 * edition has no keys, and that every surcharge can be paid. The OpenAPI document extends the fields without these
 * checks.
 */
const createDropCall = createDropFields.check(
  wholeOption,
  edition.numberedGoods,
  keyedGoods,
  edition.openGoods,
  payableZones,
)

/** The id of a drop in the path of a call. */
export const dropIdParams = z.object({ id: idInPath })

/** What the drop page reports about "Open in your browser" inside another app's browser. */
export const leaveSchema = z.object({ app: z.enum(inAppIds), outcome: z.enum(['opened', 'copied', 'failed']) })

/** The body of POST /api/drops/{id}/relaunch. */
export const relaunchSchema = z.strictObject({
  duration: z.pipe(typedNumber, z.literal(DURATIONS, dropTexts.durationInvalid)),
  quantity: z.optional(runQuantity),
  /** The units of each value of the drop's option in the new run. */
  options: z.optional(changedValues),
  /** Keys that are added before the run begins, one per line. */
  keys: listedKeys,
})
export type RelaunchInput = z.infer<typeof relaunchSchema>
/** The body of the call before it is parsed. */
export type RelaunchTexts = z.input<typeof relaunchSchema>

/**
 * The body of PATCH /api/drops/{id}, with the fields that may change while a drop runs
 * (docs/product.md#editing-a-live-drop) or until a scheduled drop starts. Pictures are sent separately.
 */
export const editDropSchema = z.strictObject({
  description: z.optional(
    trimmed().check(
      z.refine((typed) => toLine(typed) !== '', dropTexts.descriptionMissing),
      ...maxCharacters(MAX_DESCRIPTION, dropTexts.descriptionTooLong),
    ),
  ),
  quantity: z.optional(runQuantity),
  isOpenEdition: edition.stayingEdition,
  /** The values of the option. Those of an open edition have no units. */
  options: z.optional(editedChoices),
  /** Keys that are added, one per line. Each adds a unit. */
  keys: listedKeys,
  /** A new link for the buyers of a digital drop. It may change at any time, because a link can stop working. */
  digitalFileUrl,
  ...beforeStart,
  /** An empty value removes the limit. */
  maxPerBuyer: changedLimit,
})
export type EditDropFields = z.infer<typeof editDropSchema>
/** The body of the call before it is parsed, with amounts and choices as they are typed. */
export type EditDropTexts = z.input<typeof editDropSchema>

type RequiredField = keyof typeof requiredLabels

const isBlank = (value: unknown) => typeof value !== 'string' || toLine(value) === ''

/**
 * Returns the missing fields of a form, in the form's order ("Missing: {list}", docs/product.md#required-fields). A
 * duration that is not sent gets the default, but an empty duration is missing.
 */
function missingFields(form: Record<string, unknown>, sentFiles: readonly string[]): RequiredField[] {
  const hasGoods = !isBlank(form.digitalFileUrl) || !isBlank(form.keys) || sentFiles.includes('digitalFile')
  const needsFile = form.productType === 'digital' && !hasGoods
  return [
    ...(['title', 'description', 'price'] as const).filter((name) => isBlank(form[name])),
    ...(form.duration !== undefined && isBlank(form.duration) ? (['duration'] as const) : []),
    ...(sentFiles.some((name) => imageFields.includes(name)) ? [] : (['images'] as const)),
    ...(needsFile ? (['digitalFile'] as const) : []),
  ]
}

const aboutFiles = (name: RequiredField) => name === 'images' || name === 'digitalFile'

/**
 * Returns the schema of the create call. It names all missing fields in one error before it validates any field. A form
 * that lacks only files passes here. createDrop() reports missing files after it has checked that the seller's plan
 * allows such a drop.
 */
export const createDropSchema = (sentFiles: readonly string[]) =>
  z.pipe(
    z.record(z.string(), z.string()).check((context) => {
      const missing = missingFields(context.value, sentFiles)
      const named = withOwnNames(context.value)
      context.issues.push(...edition.capIssues(named), ...edition.nameIssues(named), ...otherNameIssues(context.value))
      if (missing.every(aboutFiles)) return
      const message = `${dropTexts.missingTitle}. ${missingText(missing)}`
      context.issues.push({ code: 'custom', input: undefined, message, path: [missing[0]!] })
    }),
    // The object schema validates each key itself; the pipe only needs matching types.
    z.pipe(
      z.transform(
        (form: Record<string, string>) =>
          edition.withNames(edition.withOpenDefaults(withOwnNames(form))) as z.input<typeof createDropFields>,
      ),
      createDropCall,
    ),
  )
export type CreateDropFields = z.infer<typeof createDropFields>

/**
 * A chosen picture. Its id stays the same when the picture is moved. `url` is the object URL that the browser shows.
 */
export type PickedPicture = { id: string; file: File; url: string }

const createDropForm = z.strictObject({
  idempotencyKey: z.string(),
  title: z.string(),
  description: z.string(),
  price: z.string(),
  quantity: z.string(),
  optionName: z.string(),
  options: z.string(),
  isNumbered: z.boolean(),
  isOpenEdition: z.boolean(),
  productType,
  condition,
  duration: z.number(),
  start: z.enum(['now', 'later']),
  startsAt: z.string(),
  ...earlyForm,
  maxPerBuyer: z.string(),
  shippingNote: z.string(),
  shipsFrom: z.string(),
  shipsWithin: z.string(),
  shippingZones: z.string(),
  digitalSource: z.enum(['link', 'upload']),
  digitalFileUrl: z.string(),
  keys: z.string(),
  customSlug: z.string(),
  images: z.array(z.custom<PickedPicture>()),
  digitalFile: z.nullable(z.custom<File>()),
})
/** The values of the create form: strings as they were typed, and files as they were chosen. */
export type CreateDropForm = z.infer<typeof createDropForm>

export const emptyCreateDropForm: CreateDropForm = {
  idempotencyKey: '',
  title: '',
  description: '',
  price: '',
  quantity: '1',
  optionName: 'Size',
  options: '',
  isNumbered: false,
  isOpenEdition: false,
  productType: 'physical',
  condition: 'new',
  duration: DEFAULT_DURATION,
  start: 'now',
  startsAt: '',
  ...emptyEarlyForm,
  maxPerBuyer: '',
  shippingNote: '',
  shipsFrom: '',
  shipsWithin: '',
  shippingZones: '',
  digitalSource: 'upload',
  digitalFileUrl: '',
  keys: '',
  customSlug: '',
  images: [],
  digitalFile: null,
}

/**
 * Returns the text fields that the form sends, without the fields of other product types and without empty optional
 * fields.
 */
export function createDropTexts(form: CreateDropForm) {
  const { idempotencyKey, title, description, price, quantity, productType, duration } = form
  const { start, startsAt, maxPerBuyer, shippingNote, customSlug, digitalSource, digitalFileUrl, optionName, options } =
    form
  const keys = productType === 'digital' ? form.keys.trim() && form.keys : ''
  return {
    idempotencyKey,
    title,
    description,
    price,
    productType,
    duration: String(duration),
    // The quantity of a drop with options is the sum of its values, and that of a drop with keys is their number. That
    // of an open edition is its cap. An empty option name is sent, too, so that the error about it is reported.
    ...(options.trim() ? { optionName, options } : {}),
    ...((options.trim() && !form.isOpenEdition) || keys ? {} : { quantity }),
    ...(keys ? { keys } : {}),
    ...edition.editionFieldsOf(form),
    ...(productType === 'physical' && form.condition !== 'new' ? { condition: form.condition } : {}),
    ...(productType === 'physical' && shippingNote ? { shippingNote } : {}),
    ...(productType === 'physical' && form.shipsFrom ? { shipsFrom: form.shipsFrom } : {}),
    ...(productType === 'physical' && form.shipsWithin ? { shipsWithin: form.shipsWithin } : {}),
    ...(productType === 'physical' && form.shippingZones ? { shippingZones: form.shippingZones } : {}),
    ...(start === 'later' ? { startsAt } : {}),
    ...(start === 'later' && form.earlyMinutes && !form.isOpenEdition ? earlyTextsOf(form) : {}),
    ...(customSlug ? { customSlug } : {}),
    ...(maxPerBuyer ? { maxPerBuyer } : {}),
    ...(productType === 'digital' && digitalSource === 'link' ? { digitalFileUrl } : {}),
  }
}

/** Returns what is missing in the create form, including files, in the order of the form. */
export function missingInForm(form: CreateDropForm): RequiredField[] {
  const hasFile = form.digitalSource === 'upload' && form.digitalFile !== null
  return missingFields(createDropTexts(form), [
    ...imageFields.slice(0, form.images.length),
    ...(hasFile ? ['digitalFile'] : []),
  ])
}

/** Checks the create form before it is sent, first for missing fields and then by the rules of the call. */
export const createDropFormSchema = z.pipe(
  createDropForm.check((context) => {
    const form = context.value
    const { quantity, options } = form
    const typed = { quantity, options, isOpenEdition: String(form.isOpenEdition) }
    context.issues.push(...edition.capIssues(typed), ...edition.nameIssues(typed))
    for (const name of missingInForm(form)) {
      const field = name === 'digitalFile' && form.digitalSource === 'link' ? 'digitalFileUrl' : name
      context.issues.push({ code: 'custom', input: undefined, message: missingFieldText(name), path: [field] })
    }
    // Without this check an empty start would mean now, which is not what the seller chose.
    if (form.start === 'later' && form.startsAt === '') {
      context.issues.push({ code: 'custom', input: undefined, message: startTexts.missing, path: ['startsAt'] })
    }
  }),
  z.pipe(
    z.transform((form: CreateDropForm): z.input<typeof createDropFields> => edition.withNames(createDropTexts(form))),
    createDropCall,
  ),
)
