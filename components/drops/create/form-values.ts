import { dropTexts, dropToasts, missingText, requiredLabels } from '@/lib/drops/messages'
import { DEFAULT_DURATION } from '@/lib/drops/rules'
import { isLink as isGoodLink, readPrice } from '@/lib/drops/schema'
import { toLine } from '@/lib/kernel/text'

export type Values = {
  title: string
  description: string
  price: string
  quantity: string
  maxPerBuyer: string
  productType: 'physical' | 'digital' | 'service'
  duration: number
  shippingNote: string
  digitalSource: 'link' | 'upload'
  digitalFileUrl: string
  customSlug: string
}

export const emptyValues: Values = {
  title: '',
  description: '',
  price: '',
  quantity: '1',
  maxPerBuyer: '',
  productType: 'physical',
  duration: DEFAULT_DURATION,
  shippingNote: '',
  digitalSource: 'upload',
  digitalFileUrl: '',
  customSlug: '',
}

/** A picked picture. Its id stays the same when it moves. */
export type Picture = { id: string; file: File; url: string }

/** Everything the form holds. The server creates one drop per key, however often the form is sent. */
export type Content = { key: string; values: Values; pictures: Picture[]; digitalFile: File | null }

type ErrorField = keyof Values | 'images' | 'digitalFile'
export type Errors = Partial<Record<ErrorField, string>>
/** Without a toast, the problem is shown only at its field (docs/product.md#required-fields). */
export type Problem = { errors: Errors; toast?: { title: string; description?: string } }

/** Returns the form field that an API error belongs to. */
export function fieldOf(field: string | undefined): ErrorField | null {
  if (!field) return null
  if (field.startsWith('image')) return 'images'
  return field === 'digitalFile' || field in emptyValues ? (field as ErrorField) : null
}

/** Returns what prevents publishing: the toast and the text at each field (docs/product.md#required-fields). */
export function findProblem({ values, pictures, digitalFile }: Content): Problem | null {
  const isLink = values.digitalSource === 'link'
  const missing: (keyof typeof requiredLabels)[] = []
  for (const name of ['title', 'description', 'price'] as const) if (toLine(values[name]) === '') missing.push(name)
  if (pictures.length === 0) missing.push('images')
  if (values.productType === 'digital' && (isLink ? values.digitalFileUrl.trim() === '' : !digitalFile)) {
    missing.push('digitalFile')
  }
  if (missing.length > 0) {
    const errors = Object.fromEntries(
      missing.map((name) => [
        name === 'digitalFile' && isLink ? 'digitalFileUrl' : name,
        `${requiredLabels[name]} ${name === 'images' ? 'are' : 'is'} missing.`,
      ]),
    )
    return { errors, toast: { title: dropTexts.missingTitle, description: missingText(missing) } }
  }
  const price = readPrice(values.price)
  if ('problem' in price) return { errors: { price: price.problem }, toast: dropToasts.invalidPrice }
  if (Number(values.quantity) < 1) return problemAt('quantity', dropTexts.quantityInvalid)
  if (values.productType === 'digital' && isLink && !isGoodLink(values.digitalFileUrl)) {
    return problemAt('digitalFileUrl', dropTexts.linkInvalid)
  }
  return null
}

const problemAt = (field: ErrorField, text: string): Problem => ({ errors: { [field]: text } })

/** The texts go first, so that the server has read them before the large parts arrive. */
export function toFormData({ key, values, pictures, digitalFile }: Content): FormData {
  const form = new FormData()
  form.set('idempotencyKey', key)
  const { shippingNote, digitalSource, digitalFileUrl, customSlug, maxPerBuyer, ...always } = values
  for (const [name, value] of Object.entries(always)) form.set(name, String(value))
  if (values.productType === 'physical' && shippingNote) form.set('shippingNote', shippingNote)
  if (customSlug) form.set('customSlug', customSlug)
  if (maxPerBuyer) form.set('maxPerBuyer', maxPerBuyer)
  const isDigital = values.productType === 'digital'
  if (isDigital && digitalSource === 'link') form.set('digitalFileUrl', digitalFileUrl)
  pictures.forEach(({ file }, position) => form.set(`image${position}`, file, file.name))
  if (isDigital && digitalSource === 'upload' && digitalFile) form.set('digitalFile', digitalFile, digitalFile.name)
  return form
}
