import type { FieldErrors } from 'react-hook-form'
import { dropTexts } from '@/lib/drops/messages'
import type { CreateDropForm } from '@/lib/drops/schema'

/** Lists every problem that prevents publishing, with a link to its field. */
export function ErrorSummary({ errors }: { errors: FieldErrors<CreateDropForm> }) {
  const entries = Object.entries(errors).map(([name, error]) => [name, error.message] as const)
  if (entries.length === 0) return null
  return (
    <div role="alert" className="grid gap-1 rounded-card border border-transparent bg-bad/10 p-4 text-sm text-bad">
      <p className="font-semibold">
        {entries.every(([, text]) => text?.endsWith(' missing.'))
          ? dropTexts.missingTitle
          : 'Please check these fields'}
      </p>
      <ul className="grid">
        {entries.map(([name, text]) => (
          <li key={name}>
            <a href={`#${name}`} className="inline-flex min-h-11 items-center underline underline-offset-4">
              {text}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
