import 'server-only'
import { plainDropFields } from '@/lib/drops/plain-schema'
import type { DropRow } from '@/lib/drops/view'
import { newId } from '@/lib/kernel/id'
import type { ProductType } from '@/lib/kernel/product-type'
import { plainDropForm } from './plain-drop-form'
import { plainFormStyle } from './plain-form-style'

type PlainCreate = {
  productTypes: readonly ProductType[]
  /** The newest drop of the seller. */
  last: Pick<DropRow, 'productType' | 'condition' | 'duration' | 'shippingNote'> | undefined
}

/** Hides the form that needs JavaScript. */
const HIDE = 'main > form, main > details { display: none }'

/**
 * Returns what /create shows without JavaScript in place of its form: a new plain form, or nothing when `form` is null.
 * As with JavaScript, the new form begins with choices of the last drop.
 */
export function plainCreate(form: PlainCreate | null): string {
  if (!form) return `<style>${HIDE}</style>`
  const { productTypes, last } = form
  const fresh = plainDropFields.parse({ idempotencyKey: newId('form') })
  const values = last
    ? { ...fresh, condition: last.condition, duration: String(last.duration), shippingNote: last.shippingNote }
    : fresh
  const productType = last && productTypes.includes(last.productType) ? last.productType : fresh.productType
  return `<style>${HIDE}${plainFormStyle}</style>${plainDropForm({ values: { ...values, productType }, productTypes })}`
}
