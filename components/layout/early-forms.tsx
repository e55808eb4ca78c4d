/** A press is on its way for so long; after that the line has failed, or a file came and the page is still there. */
const SENDING_MS = 8_000

// Plain and small: it runs while the page is still arriving.
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
 * Before the page is awake, and where a form needs no script at all: an impatient second press is not sent again (every tap to
 * buy would be another buyer, who has no cookie yet), and a form that only works awake does not reload the page and lose what
 * was typed; it is sent once it is (EarlyPress).
 */
export function EarlyForms() {
  return <script dangerouslySetInnerHTML={{ __html: script }} />
}
