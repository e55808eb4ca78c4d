import { Disclosure } from '@/components/ui/disclosure'
import { startTexts } from '@/lib/drops/start/start-messages'

/** Says what happens to a scheduled drop when something comes up before its start (docs/product.md#scheduled-start). */
export function StartAnswers() {
  return (
    <Disclosure label={startTexts.whatIf} className="text-sm">
      <ul className="grid list-disc gap-2 py-2 ps-9 pe-4 text-muted">
        {startTexts.answers.map((answer) => (
          <li key={answer}>{answer}</li>
        ))}
      </ul>
    </Disclosure>
  )
}
