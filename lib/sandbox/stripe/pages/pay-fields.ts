import 'server-only'
import type Stripe from 'stripe'
import { readCardNumber } from '../payments/cards'
import type { CardPageBuyer } from '../objects'
import { isStripeEmail } from '../params'
import type { CardDetails } from '../payments/payment-methods'
import type { SentFields } from './read-sent-body'

/**
 * The fields in the order of the page. Errors are shown in this order, and the first field with an error gets the
 * focus.
 */
const FIELDS = [
  'email',
  'phone',
  'shippingName',
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
  'country',
  'cardNumber',
  'expiry',
  'cvc',
  'name',
] as const

export type FieldName = (typeof FIELDS)[number]

export type PayFieldError = { field: FieldName; code: string; message: string; isCardError: boolean }

type PayInput = { card: CardDetails; buyer: CardPageBuyer }
export type PayFields = { ok: true; input: PayInput } | { ok: false; errors: PayFieldError[] }

/** What a payment requires from its buyer, and whether it also takes a phone number. */
export type Needs = {
  email: string | null
  countries: readonly string[] | null
  phone: 'required' | 'optional' | null
}

/** Returns what a checkout session asks its buyer for. */
export function needsOf(session: Stripe.Checkout.Session): Needs {
  return {
    email: session.customer_details?.email ?? session.customer_email,
    countries: session.shipping_address_collection?.allowed_countries ?? null,
    phone: session.phone_number_collection?.enabled ? 'required' : null,
  }
}

const MAX_LENGTH = 200
const SANDBOX_PHONE = '+15555550100'
const SANDBOX_NAME = 'Sandbox Buyer'
const SANDBOX_ADDRESS: Stripe.Address = {
  line1: '1 Sandbox Street',
  line2: null,
  city: 'San Francisco',
  state: 'CA',
  postal_code: '94103',
  country: 'US',
}

type Report = (field: FieldName, code: string, message: string) => null

/**
 * Checks the sent fields against what the payment requires. Returns either the input or, for each invalid field, its
 * first error. Defaults replace an expiry date, phone number or shipping address that was not sent at all.
 */
export function checkPayFields(sent: SentFields, needs: Needs, now: Date): PayFields {
  const errors: PayFieldError[] = []
  const report: Report = (field, code, message) => {
    const isCardError = field === 'cardNumber' || field === 'expiry' || field === 'cvc'
    errors.push({ field, code, message, isCardError: isCardError && code !== 'parameter_missing' })
    return null
  }
  const email = readEmail(sent, needs, report)
  const digits = readNumber(sent, report)
  const expiry = readExpiry(sent, now, report)
  readCvc(sent, report)
  const name = readText(sent, 'name', report)
  const shipping = needs.countries ? readShipping(sent, needs.countries, name, report) : null
  const phone = readPhone(sent, needs.phone, report)
  if (errors.length > 0 || email === null || digits === null || expiry === null) {
    return { ok: false, errors: errors.sort((a, b) => FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field)) }
  }
  const cardholderName = name ?? shipping?.name ?? null
  return { ok: true, input: { card: { digits, ...expiry }, buyer: { email, cardholderName, phone, shipping } } }
}

function readText(sent: SentFields, field: FieldName, report: Report): string | null {
  const value = (sent[field] ?? '').trim()
  if (value.length > MAX_LENGTH) return report(field, 'parameter_invalid', `Use at most ${MAX_LENGTH} characters.`)
  return value === '' ? null : value
}

function readRequired(sent: SentFields, field: FieldName, message: string, report: Report): string | null {
  const before = (sent[field] ?? '').trim()
  return before === '' ? report(field, 'parameter_missing', message) : readText(sent, field, report)
}

function readEmail(sent: SentFields, needs: Needs, report: Report): string | null {
  // As on Stripe's page, the buyer cannot change an email address that the session already has.
  if (needs.email) return needs.email
  const value = (sent.email ?? '').trim()
  if (value === '') return report('email', 'parameter_missing', 'Enter your email address.')
  return isStripeEmail(value)
    ? value
    : report('email', 'email_invalid', 'Enter an email address like name@example.com.')
}

function readNumber(sent: SentFields, report: Report): string | null {
  const value = (sent.cardNumber ?? '').trim()
  if (value === '') return report('cardNumber', 'parameter_missing', 'Enter a card number.')
  return readCardNumber(value) ?? report('cardNumber', 'incorrect_number', 'Your card number is incorrect.')
}

function readExpiry(sent: SentFields, now: Date, report: Report): { expMonth: number; expYear: number } | null {
  if (sent.expiry === undefined) return { expMonth: 12, expYear: now.getUTCFullYear() + 1 }
  const value = sent.expiry.trim()
  if (value === '') return report('expiry', 'parameter_missing', 'Enter the expiry date of the card.')
  const match = /^(\d{1,2})\s*[/-]?\s*(\d{2}|\d{4})$/.exec(value)
  const expMonth = Number(match?.[1])
  if (!match || expMonth < 1 || expMonth > 12) {
    return report('expiry', 'invalid_expiry_month', 'Enter the expiry date as MM / YY.')
  }
  const expYear = Number(match[2]) + (match[2]?.length === 2 ? 2000 : 0)
  const isPast = expYear * 12 + expMonth < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
  if (isPast) return report('expiry', 'invalid_expiry_year', 'This card has expired.')
  if (expYear > now.getUTCFullYear() + 50) return report('expiry', 'invalid_expiry_year', 'Check the expiry year.')
  return { expMonth, expYear }
}

function readCvc(sent: SentFields, report: Report): void {
  if (sent.cvc === undefined) return
  const value = sent.cvc.trim()
  if (value === '') report('cvc', 'parameter_missing', 'Enter the security code of the card.')
  else if (!/^\d{3,4}$/.test(value)) report('cvc', 'invalid_cvc', 'The security code has 3 or 4 digits.')
}

function readPhone(sent: SentFields, need: Needs['phone'], report: Report): string | null {
  if (need === null) return null
  if (need === 'required' && sent.phone === undefined) return SANDBOX_PHONE
  const value =
    need === 'required' ? readRequired(sent, 'phone', 'Enter a phone number.', report) : readText(sent, 'phone', report)
  if (value !== null && !/^\+?[\d\s().-]{5,30}$/.test(value)) {
    return report('phone', 'parameter_invalid', 'Enter a phone number like +1 555 555 0100.')
  }
  return value
}

function readShipping(
  sent: SentFields,
  countries: readonly string[],
  cardholder: string | null,
  report: Report,
): CardPageBuyer['shipping'] {
  // A script may leave out any field, and the example address then has its value. A form always sends all its fields,
  // so an empty field of a form is an error.
  const example = sandboxAddress(countries)
  const required = (
    field: 'shippingName' | 'line1' | 'city' | 'postalCode' | 'country',
    text: string,
    usual: string,
  ) => (sent[field] === undefined ? usual : readRequired(sent, field, text, report))
  const name = required('shippingName', 'Enter the name of the person who gets the parcel.', cardholder ?? SANDBOX_NAME)
  const line1 = required('line1', 'Enter the street and house number.', example.line1 ?? '')
  const line2 = readText(sent, 'line2', report)
  const city = required('city', 'Enter the city.', example.city ?? '')
  const postalCode = required('postalCode', 'Enter the postal code.', example.postal_code ?? '')
  const country = required('country', 'Choose the country.', example.country ?? '')?.toUpperCase() ?? null
  // The state of the example belongs to its city.
  const state = sent.city === undefined && country === example.country ? example.state : readText(sent, 'state', report)
  if (country !== null && !countries.includes(country)) {
    return report('country', 'parameter_invalid', "The seller doesn't ship to this country.")
  }
  if (name === null) return null
  return { name, address: { line1, line2, city, state, postal_code: postalCode, country } }
}

/** An example address in a country that the seller ships to, for a payment without a typed address. */
function sandboxAddress(countries: readonly string[]): Stripe.Address {
  const [first] = countries
  if (first === undefined || countries.includes('US')) return SANDBOX_ADDRESS
  return { ...SANDBOX_ADDRESS, state: null, country: first }
}
