import 'server-only'

/**
 * Decodes a segment of a path, because Next passes segments to pages in encoded form. Returns an empty string, which
 * matches no name, when the encoding is broken.
 */
export function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
