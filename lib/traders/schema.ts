import { z } from 'zod/mini'
import { ORIGIN_COUNTRIES } from '@/lib/kernel/country'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { traderTexts } from './messages'
import { DETAIL_LIMITS, parseRateBps } from './rules'

/** Control characters, and marks that change the direction of the text after them. They could disguise a name. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u
/** A name and an address contain no links, which could lead buyers away. */
const LINK = /:\/\/|www\./i

const line = (name: keyof typeof DETAIL_LIMITS) =>
  z.string().check(
    z.trim(),
    ...maxCharacters(DETAIL_LIMITS[name], traderTexts.tooLong(DETAIL_LIMITS[name])),
    z.refine((text) => !HIDDEN.test(text) && !LINK.test(text), traderTexts.oneLine),
  )

const MAX_LINES = 5
const plainLines = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n')

const addressSchema = z.string().check(
  z.overwrite(plainLines),
  ...maxCharacters(DETAIL_LIMITS.address, traderTexts.tooLong(DETAIL_LIMITS.address)),
  z.refine(
    (text) =>
      text.split('\n').length <= MAX_LINES && !LINK.test(text) && !text.split('\n').some((part) => HIDDEN.test(part)),
    traderTexts.fewLines,
  ),
)

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[^\s@<>",;:()[\]\\]+\.[^\s@<>",;:()[\]\\]+$/
const PHONE = /^\+?[\d\s().-]{5,}$/

const fields = {
  kind: z.enum(['private', 'business'], traderTexts.kindMissing),
  country: z.enum(ORIGIN_COUNTRIES, traderTexts.countryMissing),
  legalName: line('legalName'),
  address: addressSchema,
  email: line('email').check(z.refine((text) => text === '' || EMAIL.test(text), traderTexts.emailInvalid)),
  phone: line('phone').check(z.refine((text) => text === '' || PHONE.test(text), traderTexts.phoneInvalid)),
  register: line('register'),
  vatId: line('vatId'),
  isCertified: z.boolean(),
  /** The password, when the seller signed in some time ago. */
  password: z.optional(z.string().check(...maxCharacters(256))),
}

type Fields = z.infer<z.ZodMiniObject<typeof fields>>

const needed = [
  ['legalName', traderTexts.legalNameMissing],
  ['address', traderTexts.addressMissing],
  ['email', traderTexts.emailMissing],
] as const

/** A business states everything that buyers have to be shown. A private person needs only a country. */
export const sellerDetailsSchema = z.strictObject(fields).check(
  z.check<Fields>(({ value, issues }) => {
    if (value.kind !== 'business') return
    for (const [name, message] of needed) {
      if (value[name] === '') issues.push({ code: 'custom', input: value, message, path: [name] })
    }
    if (!value.isCertified) {
      issues.push({ code: 'custom', input: value, message: traderTexts.certifyMissing, path: ['isCertified'] })
    }
  }),
)
export type SellerDetailsInput = z.infer<typeof sellerDetailsSchema>

type TaxRateInput = { country: string; rateBps: number; fromDay: string }

/** Reads one line of the field, such as "DE 19" or "DE 20 from 2027-01-01". */
function readRate(text: string): TaxRateInput | null {
  const [, code = '', rate = '', fromDay = ''] =
    /^([a-z]{2})[\s:=,;]+(.+?)(?:[\s,;]+from\s+(\d{4}-\d{2}-\d{2}))?$/i.exec(text) ?? []
  const rateBps = parseRateBps(rate)
  if (rateBps === null || (fromDay !== '' && !isDay(fromDay))) return null
  return { country: code.toUpperCase(), rateBps, fromDay }
}

/** Whether the calendar has this day. JavaScript would read February 31 as a day in March. */
function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

/**
 * Reads the field with one rate per line.
 * @returns the rates, or the text about the first problem.
 */
export function readTaxRates(typed: string): TaxRateInput[] | string {
  const rates: TaxRateInput[] = []
  for (const text of plainLines(typed).split('\n').filter(Boolean)) {
    const rate = readRate(text)
    if (!rate || !(ORIGIN_COUNTRIES as readonly string[]).includes(rate.country)) return traderTexts.rateLine
    const isSame = (other: TaxRateInput) => other.country === rate.country && other.fromDay === rate.fromDay
    if (rates.some(isSame)) return traderTexts.rateTwice(rate.country)
    rates.push(rate)
  }
  return rates
}

const MAX_RATES_TEXT = 1_000

/** The form of the VAT rates: one string with a country and a rate on each line. */
export const taxRatesSchema = z.strictObject({
  rates: z.string().check(
    ...maxCharacters(MAX_RATES_TEXT, traderTexts.tooLong(MAX_RATES_TEXT)),
    z.check<string>(({ value, issues }) => {
      const read = readTaxRates(value)
      if (typeof read === 'string') issues.push({ code: 'custom', input: value, message: read })
    }),
  ),
})
export type TaxRatesInput = z.infer<typeof taxRatesSchema>
