import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'

type CodeFieldProps = {
  id: string
  label?: string
  value: string
  onChange: (code: string) => void
  error?: string | undefined
  hint?: string
}

/** Takes the six digits of the authenticator app, which the phone's keyboard can fill in, or a recovery code. */
export function CodeField({ id, label = 'Code', value, onChange, error, hint }: CodeFieldProps) {
  return (
    <Field id={id} label={label} error={error} hint={hint}>
      <Input
        id={id}
        name="code"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="go"
        maxLength={40}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error: Boolean(error), hint: Boolean(hint) })}
        className="tabular text-lg tracking-widest"
      />
    </Field>
  )
}
