// Plain JavaScript, because next.config.js imports it too.

/**
 * The policy that says what pages may load and connect to.
 * @param {{ isProduction: boolean, uploadOrigins?: string[] }} options `uploadOrigins`: where browsers send
 *   files without passing through this server
 */
export function contentSecurityPolicy({ isProduction, uploadOrigins = [] }) {
  return [
    "default-src 'self'",
    // Next's own bootstrap script is inline. A nonce would make every public page different and so uncacheable
    // (ADR 0008).
    `script-src 'self' 'unsafe-inline' https://js.stripe.com${isProduction ? '' : " 'unsafe-eval'"}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self' https://api.stripe.com", ...uploadOrigins].join(' '),
    'frame-src https://js.stripe.com https://hooks.stripe.com',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self' https://checkout.stripe.com",
    "frame-ancestors 'none'",
  ].join('; ')
}
