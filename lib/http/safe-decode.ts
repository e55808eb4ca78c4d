import 'server-only'

/** A path part as text; Next hands pages the encoded one, and a broken encoding is nobody's name. */
export function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
