import 'server-only'
import type { AppError } from '@/lib/kernel/app-error'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { refusedPage } from '@/lib/platform/messages'
import { plainFormStyle } from './plain-form-style'
import { plainPage } from './plain-page'

/** The link below a form that is shown again. */
export const homeLink = `<nav><a href="/">${refusedPage.home}</a></nav>`

/** Shows the reason above the form as an error. */
const REASON_STYLE = 'main > p { color: var(--bad); font-weight: 500 }'

/** Responds to a refused form with a plain page that shows the form again. The status is the same as for programs. */
export function plainRefusal(
  { status, retryAfterSeconds }: Pick<AppError, 'status' | 'retryAfterSeconds'>,
  page: Parameters<typeof plainPage>[0],
): Response {
  const headers = new Headers({ 'Cache-Control': PERSONAL_CACHE_CONTROL, 'Content-Type': 'text/html; charset=utf-8' })
  if (retryAfterSeconds !== undefined) headers.set('Retry-After', String(retryAfterSeconds))
  return new Response(plainPage({ ...page, style: plainFormStyle + REASON_STYLE, hasHelp: false }), { status, headers })
}
