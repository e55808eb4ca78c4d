import { NONCE_HEADER } from '@/lib/http/content-security-policy.mjs'
import { plainPage } from '@/lib/http/plain-forms/plain-page'

// The page that public/sw.js shows when the server cannot be reached. Browsers store it with its
// Content-Security-Policy.
const pageWith = (nonce: string) =>
  plainPage({
    title: "You're offline",
    text: "Prices, stock and countdowns need a connection, so there's nothing to show right now. This page will reload when you're back online.",
    actions: '<button type="button">Try again</button>',
    hasHelp: false,
    script: `
<script nonce="${nonce}">
const reload = () => location.reload()
document.querySelector('button').addEventListener('click', reload)
// Do not reload for a visitor who opened this page directly.
if (location.pathname !== '/offline') {
  addEventListener('online', reload)
  setInterval(() => fetch('/offline', { method: 'HEAD', cache: 'no-store' }).then(reload, () => undefined), 4000)
}
</script>`,
  })

export function GET(request: Request): Response {
  // The middleware overwrites this header in each request, so a client cannot choose the nonce.
  return new Response(pageWith(request.headers.get(NONCE_HEADER) ?? ''), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      'X-Robots-Tag': 'noindex',
    },
  })
}
