/**
 * How long a sent form counts as being sent. After that the connection has failed, or the response was a file and the
 * page stayed.
 */
const SENDING_MS = 8_000

// The script is small and depends on nothing, because it runs while the page is still loading.
const script = `{
  let sent = new WeakSet()
  addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented) return
    if (!form.hasAttribute('action')) {
      window.lastcallPressed = form
      return event.preventDefault()
    }
    if (form.method !== 'post') return
    if (sent.has(form)) return event.preventDefault()
    sent.add(form)
    setTimeout(() => sent.delete(form), ${SENDING_MS})
  })
  addEventListener('pageshow', (event) => event.persisted && (sent = new WeakSet()))
}`

/**
 * Handles forms before hydration, and forms that need no other script. A second press is not sent again: every tap on
 * Buy would count as another buyer, because there is no cookie yet. A form that works only after hydration is
 * stopped, because it would reload the page and lose what was typed; EarlyPress sends it after hydration.
 */
export function EarlyForms({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
}
