import { z } from 'zod/mini'
import { MAX_PRICE_CENTS, parsePriceCents } from '@/lib/kernel/money'
import { codeTexts } from './code-messages'
import { codeKey, MAX_CODE_PER_BUYER, MAX_CODE_PERCENT, MAX_CODE_USES } from './code-rules'
import { idInPath } from '../field-schema'
import { startTexts } from '../start/start-messages'
import { readStartTime } from '../start/start-rules'

const code = z.string(codeTexts.shape).check((context) => {
  const key = codeKey(context.value)
  if (key === null) context.issues.push({ code: 'custom', input: context.value, message: codeTexts.shape })
  else context.value = key
})

const whole = (most: number, text: string) => z.int(text).check(z.minimum(1, text), z.maximum(most, text))
const maybe = <Schema extends z.ZodMiniType>(schema: Schema) => z._default(z.nullable(schema), null)

/** The body of POST /api/drops/{id}/codes (docs/contract.md#calls-about-drops). */
export const createCodeSchema = z
  .strictObject({
    code,
    percent: maybe(whole(MAX_CODE_PERCENT, codeTexts.percent)),
    offCents: maybe(whole(MAX_PRICE_CENTS, codeTexts.amount)),
    maxUses: maybe(whole(MAX_CODE_USES, codeTexts.uses)),
    perBuyer: maybe(whole(MAX_CODE_PER_BUYER, codeTexts.perBuyer)),
    endsAt: maybe(
      z.iso.datetime({ offset: true, error: codeTexts.endsAt }).check(
        // An offset can move the last hours of the year 9999 into a year that Postgres does not read.
        z.refine((text) => new Date(text).getUTCFullYear() <= 9999, codeTexts.endsAt),
      ),
    ),
  })
  .check((context) => {
    const { percent, offCents } = context.value
    if ((percent === null) !== (offCents === null)) return
    context.issues.push({ code: 'custom', input: percent, message: codeTexts.discountMissing, path: ['percent'] })
  })
export type CreateCodeInput = z.infer<typeof createCodeSchema>

/** The ids of a drop and of its discount code in the path of a call. */
export const codeParams = z.object({ id: idInPath, codeId: idInPath })

const wholeText = (most: number, text: string) =>
  z.string().check(
    z.trim(),
    z.refine((typed) => typed === '' || (/^\d{1,6}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most), text),
  )

/** The form of a discount code, with the fields as the seller types them. `timeZone` is the seller's time zone. */
export const codeFormSchema = (timeZone: string) =>
  z
    .strictObject({
      code,
      kind: z.enum(['percent', 'offCents']),
      off: z.string().check(z.trim()),
      maxUses: wholeText(MAX_CODE_USES, codeTexts.uses),
      perBuyer: wholeText(MAX_CODE_PER_BUYER, codeTexts.perBuyer),
      /** The value of a datetime-local field, or an empty string. */
      endsAt: z.string().check((context) => {
        const end = context.value === '' ? null : readStartTime(context.value, timeZone)
        if (end === null || 'at' in end) return
        const message = end.problem === 'skipped' ? startTexts.skipped : codeTexts.endsAt
        context.issues.push({ code: 'custom', input: context.value, message })
      }),
    })
    .check((context) => {
      const { kind, off } = context.value
      if (readOff(kind, off) !== null) return
      const message = kind === 'percent' ? codeTexts.percent : codeTexts.amount
      context.issues.push({ code: 'custom', input: off, message, path: ['off'] })
    })
export type CodeFormValues = z.infer<ReturnType<typeof codeFormSchema>>

function readOff(kind: CodeFormValues['kind'], typed: string): number | null {
  if (kind === 'offCents') return parsePriceCents(typed) || null
  const percent = /^\d{1,2}$/.test(typed.replace(/\s*%$/, '')) ? Number.parseInt(typed, 10) : 0
  return percent >= 1 && percent <= MAX_CODE_PERCENT ? percent : null
}

/**
 * Converts the form to the body of the call. The end is typed as local time in `timeZone`, like the start of a drop.
 */
export function toCreateCode(form: CodeFormValues, timeZone: string): CreateCodeInput {
  const end = readStartTime(form.endsAt, timeZone)
  const off = readOff(form.kind, form.off)
  const count = (typed: string) => (typed === '' ? null : Number(typed))
  return {
    code: form.code,
    percent: form.kind === 'percent' ? off : null,
    offCents: form.kind === 'offCents' ? off : null,
    maxUses: count(form.maxUses),
    perBuyer: count(form.perBuyer),
    endsAt: 'at' in end ? end.at.toISOString() : null,
  }
}
