// Plain JavaScript, because next.config.js and the shared cache import it too.

/** The header in which the middleware passes the nonce of a page to its layout. */
export const NONCE_HEADER = 'x-lastcall-nonce'

/** Where browsers report what the policy has stopped. */
const REPORT_PATH = '/api/csp-report'

/**
 * The policy that says what pages may load and connect to. An inline script runs only with the nonce of its answer; the
 * shared cache, whose answers are the same for everybody, replaces the nonce by hashes (ADR 0051).
 * @param {{ isProduction: boolean, nonce?: string, uploadOrigins?: string[] }} options `uploadOrigins`: where browsers send
 *   files without passing through this server
 */
export function contentSecurityPolicy({ isProduction, nonce, uploadOrigins = [] }) {
  const inline = nonce ? ` 'nonce-${nonce}'` : ''
  return [
    "default-src 'self'",
    `script-src 'self'${inline} https://js.stripe.com${isProduction ? '' : " 'unsafe-eval'"}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self' https://api.stripe.com", ...uploadOrigins].join(' '),
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https://checkout.stripe.com",
    "frame-ancestors 'none'",
    `report-uri ${REPORT_PATH}`,
  ].join('; ')
}
