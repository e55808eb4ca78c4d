/** Reads a hint cookie (lib/kernel/hint-cookies.ts) in the browser. Returns null when it is not set. */
export function readHint(name: string): string | null {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? null
}
