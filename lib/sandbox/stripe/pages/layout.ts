import 'server-only'
import { html, raw } from 'hono/html'
import { brand } from '@/lib/kernel/brand'
import { STYLE, STYLE_HASH } from './style'

export type Html = ReturnType<typeof html>

/**
 * Returns a complete page without scripts. The only files that a sandbox page loads are the pictures of the products.
 */
export function layout(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title} · ${brand.name} sandbox</title>
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <header class="banner">Sandbox – no real money</header>
        <main>${content}</main>
      </body>
    </html>`
}

/**
 * Turns a page into a response with a strict Content-Security-Policy. `formTargets` are the origins, besides the page's
 * own, to which a form may lead. They are needed because browsers also check the redirect that follows a form.
 */
export async function pageResponse(page: Html, status: number, formTargets: readonly string[] = []): Promise<Response> {
  const policy = [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'`,
    'img-src http: https: data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return new Response(String(await page), {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    },
  })
}
