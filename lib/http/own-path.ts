import 'server-only'

/** Returns the value if it is a path on our own origin, and "/" otherwise (docs/product.md#return-addresses). */
export function ownPath(value: string | string[] | undefined): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])[^\u0000-\u001f\\]*$/.test(value)) return '/'
  return value
}
