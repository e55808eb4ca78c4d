/**
 * Reads a price while it is typed or pasted, as a plain number such as "1234.5". A comma with at most two digits after
 * it is a decimal comma, because many phones offer only a comma as decimal key. With more digits after it, it separates
 * thousands. When both signs occur, the last one is the decimal sign. A single point is always the decimal sign.
 * Everything else, such as a currency sign, is left out, and so are digits after the second decimal.
 */
export function typedPrice(text: string): string {
  const signs = text.replace(/[^\d.,]/g, '')
  const at = decimalAt(signs)
  const digits = (part: string) => part.replace(/\D/g, '')
  if (at < 0) return digits(signs)
  return `${digits(signs.slice(0, at))}.${digits(signs.slice(at + 1)).slice(0, 2)}`
}

/** Returns where the decimal sign is, or -1 without one. */
function decimalAt(signs: string): number {
  const last = Math.max(signs.lastIndexOf('.'), signs.lastIndexOf(','))
  const isOnlyOne = signs.indexOf(signs[last] ?? '') === last
  if (last < 0 || !isOnlyOne) return hasBoth(signs) ? last : -1
  const isGroup = signs[last] === ',' && signs.length - last > 3
  return isGroup ? -1 : last
}

const hasBoth = (signs: string) => signs.includes('.') && signs.includes(',')
