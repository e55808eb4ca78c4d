// The key comes from the address of the page, where anything can be written. This is therefore a Map: an object would
// also find inherited members, such as "constructor".
const sentTexts = new Map([
  ['refund', 'Request sent. The seller will reply by email.'],
  ['message', 'Message sent. The seller will reply by email.'],
  ['arrived', "Thanks for confirming. We've let the seller know."],
])

/** Shows the result of a form on the order page, near the form that was sent. */
export function FormOutcome({ sent, problem }: { sent: string | undefined; problem: string | null }) {
  if (problem) {
    return (
      <p role="alert" className="rounded-control bg-bad/8 px-4 py-3 text-bad">
        {problem}
      </p>
    )
  }
  const text = sentTexts.get(sent ?? '')
  if (!text) return null
  return (
    <p role="status" className="rounded-control bg-good/8 px-4 py-3 text-good">
      {text}
    </p>
  )
}
