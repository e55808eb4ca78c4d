import { z } from 'zod/mini'
import { MAX_PRICE_CENTS, parsePriceCents } from '@/lib/kernel/money'
import { codeTexts } from './code-messages'
import { codeKey, MAX_CODE_PER_BUYER, MAX_CODE_PERCENT, MAX_CODE_USES } from './code-rules'

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
    endsAt: maybe(z.iso.datetime({ offset: true, error: codeTexts.endsAt })),
  })
  .check((context) => {
    const { percent, offCents } = context.value
    if ((percent === null) !== (offCents === null)) return
    context.issues.push({ code: 'custom', input: percent, message: codeTexts.discountMissing, path: ['percent'] })
  })
export type CreateCodeInput = z.infer<typeof createCodeSchema>

/** The numbers in the address of one code; whatever is not a number is nobody's. */
const number = z.pipe(
  z.string(),
  z.transform((typed: string) => (/^[0-9]{1,9}$/.test(typed) ? Number(typed) : 0)),
)
export const codeParams = z.object({ id: number, codeId: number })

const wholeText = (most: number, text: string) =>
  z.string().check(
    z.trim(),
    z.refine((typed) => typed === '' || (/^\d{1,6}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= most), text),
  )

/** The form of a code, as it is typed. */
export const codeFormSchema = z
  .strictObject({
    code,
    kind: z.enum(['percent', 'offCents']),
    off: z.string().check(z.trim()),
    maxUses: wholeText(MAX_CODE_USES, codeTexts.uses),
    perBuyer: wholeText(MAX_CODE_PER_BUYER, codeTexts.perBuyer),
    /** As a datetime-local field has it, in the zone of the browser. */
    endsAt: z
      .string()
      .check(z.refine((typed) => typed === '' || !Number.isNaN(new Date(typed).getTime()), codeTexts.endsAt)),
  })
  .check((context) => {
    const { kind, off } = context.value
    if (readOff(kind, off) !== null) return
    const message = kind === 'percent' ? codeTexts.percent : codeTexts.amount
    context.issues.push({ code: 'custom', input: off, message, path: ['off'] })
  })
export type CodeForm = z.infer<typeof codeFormSchema>

function readOff(kind: CodeForm['kind'], typed: string): number | null {
  if (kind === 'offCents') return parsePriceCents(typed) || null
  const percent = /^\d{1,2}$/.test(typed.replace(/\s*%$/, '')) ? Number.parseInt(typed, 10) : 0
  return percent >= 1 && percent <= MAX_CODE_PERCENT ? percent : null
}

/** What the form sends. */
export function toCreateCode(form: CodeForm): CreateCodeInput {
  const off = readOff(form.kind, form.off)
  const count = (typed: string) => (typed === '' ? null : Number(typed))
  return {
    code: form.code,
    percent: form.kind === 'percent' ? off : null,
    offCents: form.kind === 'offCents' ? off : null,
    maxUses: count(form.maxUses),
    perBuyer: count(form.perBuyer),
    endsAt: form.endsAt === '' ? null : new Date(form.endsAt).toISOString(),
  }
}
