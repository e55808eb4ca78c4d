/**
 * Whether a string is a URL with one of these protocols, such as `https:`.
 * @param {string} value
 * @param {string[]} protocols
 */
export function isUrl(value, protocols) {
  try {
    return protocols.includes(new URL(value).protocol)
  } catch {
    return false
  }
}
