import 'server-only'
import { plainDropTexts as texts } from '@/lib/drops/plain-messages'
import type { PlainDropTexts } from '@/lib/drops/plain-schema'
import { DURATIONS, MAX_SHIPPING_NOTE, MAX_TITLE } from '@/lib/drops/rules'
import { imageFields } from '@/lib/drops/schema'
import { itemConditionLabels, itemConditions } from '@/lib/kernel/item-condition'
import { type ProductType, productTypeLabels } from '@/lib/kernel/product-type'
import { type PlainField, plainField } from './plain-field'
import { escapeHtml } from './plain-page'

/** The types of photos. With them, iPhones convert their own format to JPG. */
const PHOTO_TYPES = 'image/jpeg,image/png,image/webp,image/gif'

type PlainDropForm = {
  values: PlainDropTexts
  productTypes: readonly ProductType[]
  /** What is wrong, by the name of the field. Problems of photos are at `images`. */
  problems?: ReadonlyMap<string, string>
  /** Whether the form was sent before, so that its photos have to be chosen again. */
  isAgain?: boolean
}

/**
 * Returns the HTML of the form with which a seller publishes a drop without JavaScript. The photos come after the
 * texts, so that the server has read all texts when the first photo arrives.
 */
export function plainDropForm({ values, productTypes, problems = new Map(), isAgain = false }: PlainDropForm): string {
  const first = fieldsOf(productTypes).find(({ name }) => problems.has(name))?.name
  const field = (shown: PlainField & { name: keyof PlainDropTexts }) =>
    plainField({
      ...shown,
      value: values[shown.name],
      problem: problems.get(shown.name),
      isFocused: shown.name === first,
    })
  const html = Object.fromEntries(fieldsOf(productTypes).map((shown) => [shown.name, field(shown)]))
  return `<form class="plain-form" method="post" action="/api/drops/form" enctype="multipart/form-data">
<input type="hidden" name="idempotencyKey" value="${escapeHtml(values.idempotencyKey)}">
${html.title}${html.description}${html.productType ?? '<input type="hidden" name="productType" value="physical">'}
<div class="pair">${html.price}${html.quantity}</div>${html.duration}${html.condition}${html.shippingNote}${html.digitalFileUrl ?? ''}
${photoFields(problems.get('images'), { isAgain, isFocused: first === undefined && problems.has('images') })}
<p>${texts.agree} <a href="/terms-of-service">${texts.terms}</a> ${texts.and}
<a href="/privacy-policy">${texts.privacy}</a>.</p>
<button>${texts.button}</button></form>`
}

/** Returns the fields of the form in their sequence. The plan decides whether there is a choice of product types. */
function fieldsOf(productTypes: readonly ProductType[]): (PlainField & { name: keyof PlainDropTexts })[] {
  const isDigital = productTypes.includes('digital')
  const types = productTypes.map((type) => [type, productTypeLabels[type]] as const)
  const shippingHint = productTypes.length > 1 ? { hint: texts.shippingHint } : {}
  const number = 'required inputmode="numeric" autocomplete="off"'
  return [
    { name: 'title', label: texts.title, attributes: `required maxlength="${MAX_TITLE}" autocomplete="off"` },
    { name: 'description', label: texts.description, lines: 4, attributes: 'required' },
    ...(types.length > 1 ? [{ name: 'productType' as const, label: texts.productType, choices: types }] : []),
    {
      name: 'price',
      label: texts.price,
      hint: texts.priceHint,
      attributes: 'required inputmode="decimal" autocomplete="off" placeholder="0.00"',
    },
    { name: 'quantity', label: texts.quantity, attributes: number },
    {
      name: 'duration',
      label: texts.duration,
      choices: DURATIONS.map((hours) => [String(hours), texts.hours(hours)] as const),
    },
    {
      name: 'condition',
      label: texts.condition,
      choices: itemConditions.map((condition) => [condition, itemConditionLabels[condition]] as const),
      ...shippingHint,
    },
    {
      name: 'shippingNote',
      label: texts.shippingNote,
      attributes: `maxlength="${MAX_SHIPPING_NOTE}"`,
      ...shippingHint,
    },
    ...(isDigital
      ? [
          {
            name: 'digitalFileUrl' as const,
            label: texts.link,
            hint: texts.linkHint,
            attributes: 'inputmode="url" autocomplete="off" autocapitalize="none" placeholder="https://"',
          },
        ]
      : []),
  ]
}

/** Returns the names of the fields at which the form can show a problem. */
export function shownFields(productTypes: readonly ProductType[]): string[] {
  return [...fieldsOf(productTypes).map(({ name }) => name), 'images']
}

function photoFields(problem: string | undefined, { isAgain, isFocused }: { isAgain: boolean; isFocused: boolean }) {
  const hints = `${problem ? 'plain-images-problem ' : ''}plain-images-hint`
  const inputs = imageFields.map((name, position) => {
    const needed =
      position === 0 ? ` required${isFocused ? ' autofocus' : ''}${problem ? ' aria-invalid="true"' : ''}` : ''
    return `<input type="file" name="${name}" accept="${PHOTO_TYPES}" aria-label="${texts.photo(position + 1)}"
 aria-describedby="${hints}"${needed}>`
  })
  return `<fieldset><legend>${texts.photos}</legend>
${problem ? `<p class="problem" id="plain-images-problem">${escapeHtml(problem)}</p>` : ''}
<p class="hint" id="plain-images-hint">${isAgain ? `<strong>${texts.chooseAgain}</strong> ` : ''}${texts.photosHint}</p>
${inputs.join('\n')}</fieldset>`
}
