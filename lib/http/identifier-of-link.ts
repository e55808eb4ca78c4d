import 'server-only'
import { isOurOrigin } from './origin'
import { safeDecode } from './safe-decode'

/** The identifier of the drop that one of our links leads to; null for any other address. */
export function identifierOfLink(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { origin, pathname } = new URL(link)
  const match = /^\/drop\/([^/]+)\/?$/.exec(pathname)
  return match?.[1] && isOurOrigin(origin) ? safeDecode(match[1]) : null
}
