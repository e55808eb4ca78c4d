/** What a hint (lib/kernel/hint-cookies.ts) says in this browser; null for none. */
export function readHint(name: string): string | null {
  const found = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? null
}
