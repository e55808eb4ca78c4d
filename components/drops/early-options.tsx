import { earlyTexts } from '@/lib/drops/start/early-messages'
import { EARLY_CHOICES } from '@/lib/drops/start/early-rules'

/**
 * Lists, as options of a select, how long before the start followers may buy.
 * @param current the chosen minutes; they are also listed if the form does not offer them, because the API accepts more
 */
export function EarlyOptions({ current = '' }: { current?: string }) {
  const chosen = Number(current)
  const listed =
    chosen > 0 && !EARLY_CHOICES.includes(chosen) ? [...EARLY_CHOICES, chosen].sort((a, b) => a - b) : EARLY_CHOICES
  return (
    <>
      <option value="">{earlyTexts.off}</option>
      {listed.map((minutes) => (
        <option key={minutes} value={String(minutes)}>
          {earlyTexts.minutes(minutes)}
        </option>
      ))}
    </>
  )
}
