/** How often the stock is polled. After hydration the interval is the same (docs/product.md#drop-page). */
const POLL_MS = 10_000

// The script is small and depends on nothing, because it runs while the page is still loading. It writes the same texts
// as the countdown and the stock line do, and leaves them to React as soon as ReplayPress says that the page is
// hydrated.
const script = `{
  const timer = document.querySelector('[data-until]')
  const stock = document.querySelector('[data-stock]')
  const sizes = { day: 86400, days: 86400, hours: 3600, min: 60, sec: 1 }
  const wake = () => dispatchEvent(new Event('lastcall:wake'))
  const arrivedAt = performance.getEntriesByType('navigation')[0]?.responseStart ?? 0
  const tick = () => {
    if (window.lastcallAwake) return
    const now = Date.parse(timer.dataset.rendered) + performance.now() - arrivedAt
    let left = Math.max(0, Math.floor(Date.parse(timer.dataset.until) / 1000 - Math.floor(now / 1000)))
    if (left === 0) wake()
    const parts = timer.querySelectorAll('[data-unit]')
    for (const { dataset, firstChild } of parts) {
      const size = sizes[dataset.unit]
      firstChild.data = String(Math.floor(left / size)).padStart(size > 3600 || parts.length === 1 ? 1 : 2, '0')
      left %= size
    }
    setTimeout(tick, 1005 - (now % 1000))
  }
  if (timer) tick()
  const poll = setInterval(async () => {
    if (window.lastcallAwake) return clearInterval(poll)
    const answer = document.hidden ? null : await fetch(stock.dataset.stock, { cache: 'no-cache' }).catch(() => null)
    if (!answer?.ok || window.lastcallAwake) return
    const { state, available, quantity, inCheckout, isOpenEdition, sold } = await answer.json()
    if (window.lastcallAwake) return
    const count = (units) => units.toLocaleString('en-US')
    const checkouts = inCheckout > 0 ? \`, \${count(inCheckout)} in checkout\` : ''
    const text = isOpenEdition ? \`\${count(sold)} ordered so far\${checkouts}\` : state === 'soldOut' ? 'Sold out' : \`\${count(available)} of \${count(quantity)} left\${checkouts}\`
    if (state === 'live' && stock.firstChild.data === text) return
    stock.firstChild.data = text
    wake()
  }, ${POLL_MS})
  if (!stock) clearInterval(poll)
}`

/**
 * Keeps the countdown and the stock line of a drop page correct until the page is hydrated. A phone on a slow network
 * shows the page long before that (ADR 0060). When the countdown is at zero or the stock has changed, this script makes
 * the page load its other scripts.
 */
export function UnhydratedClock({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
}
