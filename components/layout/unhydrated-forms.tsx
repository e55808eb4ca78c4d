/**
 * How long a sent form counts as being sent. After this time the form may be sent again, because the connection may
 * have failed, or because the response was a file and the page stayed.
 */
const SENDING_MS = 8_000

// The script is small and depends on nothing, because it runs while the page is still loading. The listeners with
// `true` run before those of React, which may hydrate the page while the browser is already sending a form.
const script = `{
  let sent = new WeakSet()
  const stop = (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('submit', (event) => sent.has(event.target) && stop(event), true)
  addEventListener('click', (event) => {
    const button = event.target.closest?.('button,input')
    if (button?.type === 'submit' && sent.has(button.form)) stop(event)
  }, true)
  addEventListener('submit', (event) => {
    const form = event.target
    if (event.defaultPrevented) return
    if (!form.hasAttribute('action')) {
      window.lastcallPressed = form
      window.lastcallSubmitter = event.submitter
      return event.preventDefault()
    }
    if (form.method !== 'post') return
    sent.add(form)
    setTimeout(() => sent.delete(form), ${SENDING_MS})
  })
  addEventListener('click', (event) => {
    if (window.lastcallAwake || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
    const target = event.target.closest?.('button,[data-needs-script]')
    if (!target || (target.form && target.type === 'submit')) return
    window.lastcallPressed = target
    event.preventDefault()
  })
  addEventListener('pageshow', (event) => event.persisted && (sent = new WeakSet()))
}`

/**
 * Handles forms and buttons before hydration, and forms that need no other script. A form that posts is not sent a
 * second time within SENDING_MS, because every tap on Buy would count as another buyer as long as there is no cookie. A
 * form without an `action` works only after hydration. It is stopped, because sending it would reload the page and lose
 * the typed text. After hydration, ReplayPress repeats only the last of these presses: it submits the stopped form
 * again, or presses the button or link again.
 */
export function UnhydratedForms({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />
}
