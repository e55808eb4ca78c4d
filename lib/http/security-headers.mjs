// This file is plain JavaScript, because next.config.js imports it too.
import { contentSecurityPolicy, walletHeaders } from './content-security-policy.mjs'

/**
 * Returns the security headers of every response except Next's static files. For pages the middleware replaces the
 * policy with one that contains a nonce.
 * @param {{ isPayment: boolean, isProduction: boolean }} page `isPayment`: whether it is a page with Stripe's form
 */
export function securityHeaders({ isPayment, isProduction }) {
  return [
    { key: 'X-Content-Type-Options', value: 'nosniff' },
    // Browsers follow this header over https only.
    { key: 'Strict-Transport-Security', value: 'max-age=31536000' },
    { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
    ...walletHeaders({ isPayment }),
    { key: 'Content-Security-Policy', value: contentSecurityPolicy({ isProduction, isPayment }) },
  ]
}
