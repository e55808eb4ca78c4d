import 'server-only'
import { isOurOrigin } from './origin'
import { safeDecode } from './safe-decode'

/** Returns the identifier of the drop that one of our links leads to, or null for any other URL. */
export function identifierOfLink(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { origin, pathname } = new URL(link)
  const match = /^\/drop\/([^/]+)\/?$/.exec(pathname)
  return match?.[1] && isOurOrigin(origin) ? safeDecode(match[1]) : null
}
