import 'server-only'

/**
 * Whether a browser says that it follows a link on a page of another site. Cookies are sent with such a request, so it
 * must not change anything.
 */
export function isFromOtherSite(request: Request): boolean {
  return ['cross-site', 'same-site'].includes(request.headers.get('sec-fetch-site') ?? '')
}
