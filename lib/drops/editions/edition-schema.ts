import { z } from 'zod/mini'
import { editionTexts } from './edition-messages'
import { openTexts } from './open-messages'
import { readNames, type TypedChoice, unitsProblem } from '../options/option-rules'
import { DEFAULT_CAP, MAX_QUANTITY } from '../rules'

export const numberedGoods = z.check<{ isNumbered: boolean; productType: string }>(({ value, issues }) => {
  if (!value.isNumbered || value.productType !== 'service') return
  issues.push({ code: 'custom', input: value, message: editionTexts.noService, path: ['isNumbered'] })
})

/** Whether each unit of a new drop gets a number, as a form sends it (docs/product.md#numbered-editions). */
export const isNumbered = z.pipe(
  z._default(z.enum(['true', 'false'], editionTexts.invalid), 'false'),
  z.transform((typed: 'true' | 'false') => typed === 'true'),
)

/** Whether the edition of a new drop is open, as a form sends it (docs/product.md#open-editions). */
export const isOpenEdition = z.pipe(
  z._default(z.enum(['true', 'false'], openTexts.invalid), 'false'),
  z.transform((typed: 'true' | 'false') => typed === 'true'),
)

/** Refuses `isOpenEdition` in an edit with its own message, because it never changes. */
export const stayingEdition = z.optional(z.never(openTexts.staysAsItIs))

type Goods = { isOpenEdition: boolean; options?: TypedChoice[] | undefined; keys?: unknown }

/** An open edition has one stock, which is its cap. Its choices have no units of their own, and it has no keys. */
export const openGoods = z.check<Goods>(({ value: { isOpenEdition, options = [], keys }, issues }) => {
  const refuse = (field: string, message: string) =>
    issues.push({ code: 'custom', input: undefined, message, path: [field] })
  const problem = unitsProblem(options, isOpenEdition)
  if (problem) refuse('options', problem)
  if (isOpenEdition && keys !== undefined) refuse('keys', openTexts.noKeys)
})

type Sent = { isOpenEdition?: string; quantity?: string; options?: string }

const isOpen = ({ isOpenEdition: typed }: Sent) => typed === 'true'

/** Returns what is wrong with the cap of an open edition, before it is parsed as a quantity. */
export function capIssues(form: Sent) {
  if (!isOpen(form) || form.quantity === undefined) return []
  const typed = form.quantity.trim()
  const isCap = /^[0-9]{1,9}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= MAX_QUANTITY
  return isCap ? [] : [{ code: 'custom' as const, input: undefined, message: openTexts.capInvalid, path: ['quantity'] }]
}

/** Returns what is wrong with the choices that were typed for an open edition. They are names without units. */
export function nameIssues(form: Sent) {
  if (!isOpen(form) || !form.options?.trim()) return []
  const read = isJson(form.options) ? null : readNames(form.options)
  return read && 'problem' in read
    ? [{ code: 'custom' as const, input: undefined, message: read.problem, path: ['options'] }]
    : []
}

const isJson = (typed: string) => typed.trim().startsWith('[')

/**
 * Returns the fields with the choices of an open edition as JSON. Only in JSON do values without units differ from
 * values whose units are missing.
 */
export function withNames<Form extends Sent>(form: Form): Form {
  if (!isOpen(form) || !form.options?.trim() || isJson(form.options)) return form
  const read = readNames(form.options)
  return 'problem' in read ? form : { ...form, options: JSON.stringify(read.values) }
}

/**
 * Returns the fields about the edition that the create form sends. The units of an open edition are numbered by
 * default, so the form also sends the choice not to number them.
 */
export function editionFieldsOf(form: { isNumbered: boolean; isOpenEdition: boolean; productType: string }) {
  const hasNumbers = form.isNumbered && form.productType !== 'service'
  return {
    ...(hasNumbers ? { isNumbered: 'true' as const } : {}),
    ...(form.isOpenEdition ? { isOpenEdition: 'true' as const } : {}),
    ...(form.isOpenEdition && !hasNumbers ? { isNumbered: 'false' as const } : {}),
  }
}

/**
 * Adds the defaults of an open edition that the call left out: the cap, and numbering for physical and digital goods.
 */
export function withOpenDefaults(form: Record<string, string>): Record<string, string> {
  if (!isOpen(form)) return form
  return {
    quantity: String(DEFAULT_CAP),
    ...(form.productType === 'service' ? {} : { isNumbered: 'true' }),
    ...form,
  }
}
