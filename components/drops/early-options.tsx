import { earlyTexts } from '@/lib/drops/early-messages'
import { EARLY_MINUTES } from '@/lib/drops/early-rules'

/** Lists, as options of a select, how long before the start followers may buy. */
export function EarlyOptions() {
  return (
    <>
      <option value="">{earlyTexts.off}</option>
      {EARLY_MINUTES.map((minutes) => (
        <option key={minutes} value={String(minutes)}>
          {earlyTexts.minutes(minutes)}
        </option>
      ))}
    </>
  )
}
