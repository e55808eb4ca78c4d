import 'server-only'
import { html, raw } from 'hono/html'
import { brand } from '@/lib/kernel/brand'
import { hashOfStyle, STYLE, STYLE_HASH } from './style'

export type Html = ReturnType<typeof html>

/** A complete page, and the hash of the style that only this page has. */
export type Page = { html: Html; ownStyleHash: string | null }

/**
 * Returns a complete page without scripts. The only files that a sandbox page loads are the fonts and the pictures of
 * the products.
 * @param ownStyle style that depends on the request, such as the time that is left of a hold
 */
export function layout(title: string, content: Html, ownStyle: string | null = null): Page {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title} · ${brand.name} sandbox</title>
        <meta name="color-scheme" content="light dark" />
        ${raw(`<style>${STYLE}</style>`)}${ownStyle === null ? '' : raw(`<style>${ownStyle}</style>`)}
      </head>
      <body>
        <header class="banner">Sandbox – no real money</header>
        <main>${content}</main>
      </body>
    </html>`
  return { html: page, ownStyleHash: ownStyle === null ? null : hashOfStyle(ownStyle) }
}

/**
 * Turns a page into a response with a strict Content-Security-Policy. `formTargets` are the origins, besides the page's
 * own, to which a form may lead. They are needed because browsers also check the redirect that follows a form.
 */
export async function pageResponse(page: Page, status: number, formTargets: readonly string[] = []): Promise<Response> {
  const { ownStyleHash } = page
  const policy = [
    "default-src 'none'",
    `style-src '${STYLE_HASH}'${ownStyleHash === null ? '' : ` '${ownStyleHash}'`}`,
    "font-src 'self'",
    'img-src http: https: data:',
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return new Response(String(await page.html), {
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
