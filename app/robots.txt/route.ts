import { env } from '@/lib/infra/env'

export const dynamic = 'force-dynamic'

/** The paths that crawlers are asked not to fetch: calls, personal pages, and pages that are one step of a process. */
const PRIVATE = [
  '/api/',
  '/admin',
  '/checkout/',
  '/create',
  '/o/',
  '/orders',
  '/payment-success-breakdown',
  '/sandbox/',
  '/success',
]

export function GET(): Response {
  const lines = [
    'User-agent: *',
    'Allow: /',
    'Allow: /api/oembed',
    'Allow: /api/openapi.json',
    ...PRIVATE.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${env().appUrl}/sitemap.xml`,
    '',
  ]
  return new Response(lines.join('\n'), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  })
}
