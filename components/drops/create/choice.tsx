import { cn } from '@/components/ui/class-names'

type ChoiceProps = {
  name: string
  value: string
  label: string
  hint?: string
  isChecked: boolean
  isDisabled?: boolean
  onSelect: () => void
}

/** One of a few large choices: a radio button that looks like a card. */
export function Choice({ name, value, label, hint, isChecked, isDisabled = false, onSelect }: ChoiceProps) {
  return (
    <label
      className={cn(
        'grid min-h-16 content-center rounded-card border-2 px-4 py-3 transition-colors duration-150',
        'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-ember',
        isChecked ? 'border-ink' : 'border-line',
        // A disabled choice is not paler, because its hint says why it is disabled and must stay readable.
        isDisabled ? 'cursor-not-allowed border-dashed bg-sunken' : 'cursor-pointer bg-surface',
        !isChecked && !isDisabled && 'hover:border-control',
      )}
    >
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChecked}
        disabled={isDisabled}
        onChange={onSelect}
        className="sr-only"
      />
      <span className={cn('font-semibold', isDisabled && 'text-muted')}>{label}</span>
      {hint ? <span className="text-sm text-muted">{hint}</span> : null}
    </label>
  )
}
