import 'server-only'

/** Returns a path on our own origin (docs/product.md#return-addresses); anything else becomes "/". */
export function ownPath(value: string | string[] | undefined): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])[^\u0000-\u001f\\]*$/.test(value)) return '/'
  return value
}
