import 'server-only'
import { codeInQuery } from '@/lib/drops/codes/code-rules'
import { isOurOrigin } from './origin'

/**
 * Returns the discount code in the link of the drop page that contained a form. The page is the same for everyone and
 * cannot contain the code in its form (ADR 0008). A browser without JavaScript sends the page's URL in the `referer`
 * header.
 * @returns an empty string when the link has no code, or when the referrer is not one of our drop pages.
 */
export function codeOfLink(request: Request): string {
  const referrer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return ''
  const { origin, pathname, search } = new URL(referrer)
  return isOurOrigin(origin) && pathname.startsWith('/drop/') ? codeInQuery(search) : ''
}
