/** Providers that ignore dots in the name. */
const IGNORES_DOTS = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox behind an email address: without a tag ("+…"), and for Gmail without dots. Limits per person count by it,
 * so that one mailbox counts once under all its addresses. Mail is sent to the address as it was typed.
 */
export function mailboxOf(email: string): string {
  const address = email.trim().toLowerCase()
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const name = address.slice(0, at).replace(/(?<=.)\+.*$/s, '')
  return IGNORES_DOTS.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
