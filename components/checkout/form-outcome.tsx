// By names from an address: an object would also know those of its prototype.
const sentTexts = new Map([
  ['refund', 'The seller has your request and gets a mail.'],
  ['message', 'Your message is on its way.'],
  ['arrived', 'Thank you. It is noted, and the seller sees it.'],
])

/** What came of a form of the order page, where the eye is after it was sent. */
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
