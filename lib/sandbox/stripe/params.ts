import 'server-only'
import qs from 'qs'
import type Stripe from 'stripe'
import { z } from 'zod'
import { invalidRequest, StripeFault } from './stripe-fault'

export type RawParams = Record<string, unknown>

/** Removes NUL characters and replaces unpaired surrogates, because Postgres can store neither. */
export function cleanText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd')
}

/** Applies cleanText() to every string in a value, including its keys. */
function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanText(key), cleanDeep(member)]))
}

/** Parses Stripe's form encoding, such as `line_items[0][price_data][currency]=usd`, and cleans all strings in it. */
export function parseForm(text: string): RawParams {
  return cleanDeep(qs.parse(text, { depth: 10, arrayLimit: 1_000, parameterLimit: 5_000 })) as RawParams
}

function coded(code: string, message: string) {
  return { error: message, params: { code } }
}

/** A string that must not be empty. */
export function text(maxLength = 5_000) {
  return z
    .string()
    .refine(
      (value) => value !== '',
      coded('parameter_invalid_empty', 'You passed an empty string where a value is needed.'),
    )
    .refine(
      (value) => value.length <= maxLength,
      coded('parameter_invalid_string', `Must be at most ${maxLength} characters.`),
    )
}

/** A string. An empty one becomes null, which clears the field. */
export function clearableText(maxLength = 5_000) {
  return z
    .string()
    .refine(
      (value) => value.length <= maxLength,
      coded('parameter_invalid_string', `Must be at most ${maxLength} characters.`),
    )
    .transform((value) => (value === '' ? null : value))
}

/**
 * An integer of at most 15 digits, which becomes a number. Parameters arrive as strings, because Stripe's API is form-
 * encoded.
 */
export function integer() {
  return z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), coded('parameter_invalid_integer', 'Invalid integer.'))
    .transform(Number)
}

/** `true` or `false`, which becomes a boolean. */
export function bool() {
  return z
    .string()
    .refine((value) => value === 'true' || value === 'false', coded('parameter_invalid_boolean', 'Invalid boolean.'))
    .transform((value) => value === 'true')
}

/** An http or https URL of at most 5,000 characters. */
export function webUrl() {
  return z
    .string()
    .max(5_000)
    .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value), coded('url_invalid', 'Not a valid URL.'))
}

/** An email address. */
export function email() {
  return z.string().refine(isStripeEmail, coded('email_invalid', 'Invalid email address.'))
}

/** An email address. An empty string becomes null, which clears the field. */
export function clearableEmail() {
  return z
    .string()
    .refine((value) => value === '' || isStripeEmail(value), coded('email_invalid', 'Invalid email address.'))
    .transform((value) => (value === '' ? null : value))
}

/**
 * Whether the stand-in takes a string for an email address. 254 characters is the longest address that SMTP can deliver
 * to.
 */
export function isStripeEmail(value: string): boolean {
  return value.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]{2,}$/.test(value)
}

/** Only US dollars are accepted (docs/product.md#currency). */
export function currency() {
  return z
    .string()
    .transform((value) => value.toLowerCase())
    .refine((value) => value === 'usd', coded('parameter_invalid', 'Invalid currency: this sandbox takes usd.'))
}

// Stripe documents these codes as unsupported for shipping, some of them because of an embargo
// (docs.stripe.com/api/checkout/sessions/create).
const NO_COUNTRIES = 'AS CX CC CU HM IR KP MH FM NF MP PW SD SY UM VI'.split(' ')

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** A two-letter code that `Intl` knows as a region, and that is not in `NO_COUNTRIES`. */
export function country() {
  return z
    .string()
    .refine(
      (value) => /^[A-Z]{2}$/.test(value) && regions.of(value) !== undefined && !NO_COUNTRIES.includes(value),
      coded('parameter_invalid', 'Must be two-letter country codes that Stripe supports.'),
    )
}

/** Refuses `statement_descriptor`, because Stripe now accepts only `statement_descriptor_suffix` for cards. */
export function noStatementDescriptor() {
  return z
    .undefined(
      'The `statement_descriptor` parameter is not supported for the `card` payment method; use `statement_descriptor_suffix`.',
    )
    .optional()
}

/** The names of the objects that a response should contain instead of their ids (`expand[]`). */
export function expandable() {
  return z.array(z.string().max(500)).max(20).optional()
}

const metadataRecord = z
  .record(
    z
      .string()
      .refine((key) => key.length <= 40, coded('parameter_invalid', 'Metadata keys can be up to 40 characters long.')),
    z
      .string()
      .refine(
        (value) => value.length <= 500,
        coded('parameter_invalid', 'Metadata values can be up to 500 characters.'),
      ),
  )
  .refine((record) => Object.keys(record).length <= 50, coded('parameter_invalid', 'Metadata can have up to 50 keys.'))

/** Metadata as sent. An empty value removes its key; an empty string instead of an object removes all keys. */
export function metadata() {
  return z.preprocess((value) => (value === '' ? { [CLEAR]: '' } : value), metadataRecord).optional()
}

const CLEAR = '\u0001clear'

/** Merges the sent metadata into the current metadata, as Stripe does. */
export function mergeMetadata(
  current: Stripe.Metadata | null,
  sent: Record<string, string> | undefined,
): Stripe.Metadata {
  if (!sent) return current ?? {}
  if (CLEAR in sent) return {}
  return Object.fromEntries(Object.entries({ ...current, ...sent }).filter(([, value]) => value !== ''))
}

/** Writes a path as Stripe names a parameter: `a[b][0]`. */
function paramName(path: readonly PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('')
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    raw,
  )
}

function toFault(issues: readonly z.core.$ZodIssue[], raw: RawParams): StripeFault {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  if (unknown) {
    const param = paramName([...unknown.path, unknown.keys[0] ?? ''])
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const [issue] = issues
  if (!issue) return invalidRequest('Invalid request.')
  const param = paramName(issue.path)
  if (valueAt(raw, issue.path) === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'custom') {
    const { code } = (issue.params ?? {}) as { code?: string }
    return invalidRequest(issue.message, { ...(code && { code }), param })
  }
  if (issue.code === 'invalid_value') {
    return invalidRequest(`Invalid ${param}: must be one of ${issue.values.map(String).join(', ')}`, { param })
  }
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { param })
}

/**
 * Checks parameters against a schema and returns them. Throws StripeFault for a missing, invalid or unknown parameter.
 */
export function readParams<Schema extends z.ZodType>(schema: Schema, raw: RawParams): z.output<Schema> {
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const { status, body } = toFault(result.error.issues, raw)
  throw new StripeFault(status, body, { isValidation: true })
}
