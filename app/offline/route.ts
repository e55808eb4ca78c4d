import { plainPage } from '@/lib/http/plain-page'

// The page that public/sw.js shows when the server cannot be reached.
const PAGE = plainPage({
  title: 'You are offline',
  text: "You're offline. Prices, stock and countdowns need a connection, so there's nothing to show right now. This page will reload when you're back online.",
  wayOn: '<button type="button" onclick="location.reload()">Try again</button>',
  script: `
<script>
// Not for somebody who opened this page itself.
if (location.pathname !== '/offline') {
  const reload = () => location.reload()
  addEventListener('online', reload)
  setInterval(() => fetch('/offline', { method: 'HEAD', cache: 'no-store' }).then(reload, () => undefined), 4000)
}
</script>`,
})

export function GET(): Response {
  return new Response(PAGE, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
      'X-Robots-Tag': 'noindex',
    },
  })
}
