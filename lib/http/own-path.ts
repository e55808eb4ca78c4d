import 'server-only'

/** A path on our own origin and nothing else (DECISIONS 32); anything else becomes "/". */
export function ownPath(value: string | string[] | undefined): string {
  if (typeof value !== 'string' || !/^\/(?![/\\])[^\u0000-\u001f\\]*$/.test(value)) return '/'
  return value
}
