// The variables that name the platform, its owner and its contacts (docs/contract.md#environment).
import { isEmail } from './is-email.mjs'

/** @import { Check, Get } from './env-rules.mjs' */

/**
 * Reads the name, texts and contacts of the platform that replace those of lib/kernel/brand.ts.
 * @param {Get} get
 * @param {Check} check
 * @returns {import('../kernel/brand').BrandSettings}
 */
export function readBrand(get, check) {
  /** @type {[name: string, value: string | null, maxLength: number][]} */
  const texts = [
    ['BRAND_NAME', get('BRAND_NAME'), 40],
    ['BRAND_TAGLINE', get('BRAND_TAGLINE'), 60],
    ['BRAND_DESCRIPTION', get('BRAND_DESCRIPTION'), 200],
    ['LEGAL_NAME', get('LEGAL_NAME'), 120],
    ['LEGAL_ADDRESS', get('LEGAL_ADDRESS'), 300],
  ]
  for (const [name, value, maxLength] of texts) {
    check((value?.length ?? 0) <= maxLength, `${name} is too long: give at most ${maxLength} characters.`)
  }
  const contacts = { support: get('SUPPORT_EMAIL'), privacy: get('PRIVACY_EMAIL'), legal: get('LEGAL_EMAIL') }
  for (const [key, value] of Object.entries(contacts)) {
    check(value === null || isEmail(value), `${key.toUpperCase()}_EMAIL is not an email address.`)
  }
  const [name, tagline, description, legalName, legalAddress] = texts.map(([, value]) => value ?? undefined)
  const given = (/** @type {Record<string, string | null | undefined>} */ values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
  const contact = given(contacts)
  const settings = given({ name, tagline, description, legalName, legalAddress })
  return Object.keys(contact).length > 0 ? { ...settings, contact } : settings
}
