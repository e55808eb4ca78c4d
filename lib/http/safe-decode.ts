import 'server-only'

/** Decodes a part of a path, which Next passes to pages encoded. A broken encoding matches no name. */
export function safeDecode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
