/** Domains of providers that ignore dots in the name. */
const IGNORES_DOTS = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns the mailbox of an email address: in lower case and without a tag ("+…"). For Gmail it is also without dots,
 * and its domain is gmail.com. Limits per person count mailboxes, so that all addresses of one mailbox count as one
 * person. Emails still go to the full address, with its tag and its dots.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const name = address.slice(0, at).replace(/(?<=.)\+.*$/s, '')
  return IGNORES_DOTS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
