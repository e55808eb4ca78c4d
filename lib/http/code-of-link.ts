import 'server-only'
import { codeInQuery } from '@/lib/drops/code-rules'
import { isOurOrigin } from './origin'

/**
 * The discount code in the link of the drop page that contained a form. The page is the same for everybody and cannot put the code
 * into its form (ADR 0008); a browser without JavaScript says in the referrer which address it shows.
 * @returns empty without a code, and where a browser keeps the referrer to itself.
 */
export function codeOfLink(request: Request): string {
  const referrer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return ''
  const { origin, pathname, search } = new URL(referrer)
  return isOurOrigin(origin) && pathname.startsWith('/drop/') ? codeInQuery(search) : ''
}
