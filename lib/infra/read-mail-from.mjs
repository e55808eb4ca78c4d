// MAIL_FROM and the rules for its value (docs/contract.md#environment).

/** @import { Check, Get } from './env-rules.mjs' */

/**
 * Whether a string is an email address, or a name with an email address in angle brackets. The domain may be a name
 * such as "localhost".
 * @param {string} text
 */
const isSender = (text) => /^(?:[^<>\p{Cc}]*<[^\s@,<>"]+@[^\s@,<>"]+>|[^\s@,<>"]+@[^\s@,<>"]+)$/u.test(text)

/** The sender while nobody has set one. Its address receives nothing. */
const NO_SENDER = 'Lastcall <no-reply@lastcall.example>'

/**
 * Reads the sender of all emails. The default is the platform's name with an address that cannot receive email. A file
 * that was copied from .env.example may contain NO_SENDER as its value, which counts as not set.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isLive
 */
export function readMailFrom(get, check, isLive) {
  const given = get('MAIL_FROM')
  const mailFrom = given === NO_SENDER ? null : given
  check(
    !isLive || mailFrom !== null,
    'MAIL_FROM is missing: with live Stripe keys buyers get receipts. Give "Name <address@your.domain>".',
  )
  check(
    mailFrom === null || isSender(mailFrom),
    `MAIL_FROM is "${mailFrom}": give "Name <address@your.domain>" or only the address.`,
  )
  // The name is quoted, because it may contain commas and other characters that separate addresses.
  const name = get('BRAND_NAME')?.replace(/["\\\p{Cc}]/gu, '')
  return mailFrom ?? (name ? `"${name}" <no-reply@lastcall.example>` : NO_SENDER)
}
