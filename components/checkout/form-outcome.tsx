// The text is looked up by a name from the page's URL, which anyone can change. A Map is used because an object would
// also find inherited members, such as "constructor".
const sentTexts = new Map([
  ['refund', 'Request sent. The seller will reply by email.'],
  ['message', 'Message sent. The seller will reply by email.'],
  ['wait', "Thanks for waiting. We've let the seller know."],
  ['money', "We're refunding you. We'll email you when the money is on its way to your card."],
  ['address', "We've changed your address and emailed you and the seller."],
  ['same-address', 'We already have this address, so nothing changed.'],
  ['undo', "We've restored your earlier address and emailed you and the seller."],
  ['arrived', "Thanks for confirming. We've let the seller know."],
])

/** The browser focuses this element when the page has loaded, even without JavaScript. */
const takesFocus = { tabIndex: -1, autoFocus: true }

/**
 * Shows, at the top of the order page, whether the form that the buyer sent was accepted or refused. The text takes the
 * focus, so that a screen reader reads it out, because live regions announce only what changes after the page has
 * loaded.
 */
export function FormOutcome({ sent, problem }: { sent: string | undefined; problem: string | null }) {
  if (problem) {
    return (
      <p role="alert" {...takesFocus} className="rounded-control border border-transparent bg-bad/8 px-4 py-3 text-bad">
        {problem}
      </p>
    )
  }
  const text = sentTexts.get(sent ?? '')
  if (!text) return null
  return (
    <p
      role="status"
      {...takesFocus}
      className="rounded-control border border-transparent bg-good/8 px-4 py-3 text-good"
    >
      {text}
    </p>
  )
}
