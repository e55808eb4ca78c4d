import { cn } from '@/components/ui/class-names'

type ChoiceProps = {
  name: string
  value: string
  label: string
  hint?: string
  /** The id of another element that describes the choice. */
  describedBy?: string
  isChecked: boolean
  isDisabled?: boolean
  onSelect: () => void
  /** Called when a disabled choice is tapped. What it does must also be possible by keyboard elsewhere. */
  onDisabledTap?: () => void
}

/** Shows a radio button that looks like a large card. */
export function Choice({
  name,
  value,
  label,
  hint,
  describedBy,
  isChecked,
  isDisabled = false,
  onSelect,
  onDisabledTap,
}: ChoiceProps) {
  return (
    <label
      onClick={isDisabled ? onDisabledTap : undefined}
      className={cn(
        'grid min-h-16 content-center rounded-card border-2 px-3 py-3 sm:px-4 transition-colors duration-150',
        'has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-ember',
        isChecked ? 'border-ink' : 'border-line',
        // With forced colors all borders have the same color, so a thick border marks the chosen one.
        isChecked && 'forced-colors:border-8 forced-colors:border-[Highlight]',
        // A disabled choice keeps its full opacity, because its hint says why it is disabled and must stay readable.
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
        aria-describedby={describedBy}
        onChange={onSelect}
        className="sr-only"
      />
      <span className={cn('font-semibold', isDisabled && 'text-muted')}>{label}</span>
      {hint ? <span className="text-sm text-muted">{hint}</span> : null}
    </label>
  )
}
