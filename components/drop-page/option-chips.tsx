import { clsx } from 'clsx'
import { useEffect, useRef } from 'react'
import type { OptionView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { chooseOptionText } from '@/lib/checkout/choices/option-messages'

/** The id of the buy form. The chips and the discount code are outside the form and belong to it by this id. */
export const BUY_FORM = 'buy'

/** Returns a text that says how many units of one value are left (docs/product.md#options). */
function leftText({ left, inCheckout }: OptionView['values'][number]): string {
  if (left > 0) return `${formatCount(left)} left`
  return inCheckout > 0 ? 'In checkout' : 'Sold out'
}

type OptionChipsProps = {
  /** The values of an open edition have no stock of their own, so their chips say nothing of units. */
  drop: { option: OptionView; isOpenEdition: boolean }
  chosen: string | null
  onChoose: (value: string) => void
  /** True when the buyer pressed Buy without a choice. */
  isMissing: boolean
}

/**
 * Shows the values of a drop's option as radio buttons that look like chips. A sold-out value can also be chosen, and
 * the page then offers its waitlist. Without JavaScript, the chosen value is sent with the form.
 */
export function OptionChips({ drop: { option, isOpenEdition }, chosen, onChoose, isMissing }: OptionChipsProps) {
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    // This keeps a choice that was made before the page's scripts ran.
    const early = fieldset.current?.querySelector<HTMLInputElement>('input:checked')
    if (early) onChoose(early.value)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- runs once, after hydration
  }, [])
  return (
    <fieldset ref={fieldset} id="options" aria-describedby={isMissing ? 'options-problem' : undefined}>
      <legend dir="auto" className="mb-2 text-sm font-semibold">
        {option.name}
      </legend>
      <div className="flex flex-wrap gap-2">
        {option.values.map((value) => (
          <label
            key={value.value}
            className={clsx(
              'grid min-h-12 min-w-16 cursor-pointer content-center rounded-control border-2 px-3 py-1 text-center',
              'has-[:checked]:border-ink has-[:checked]:bg-surface has-[:focus-visible]:outline-2',
              'has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-ember',
              // With forced colors all borders have the same color, so a thick border marks the chosen one.
              'forced-colors:has-[:checked]:border-8 forced-colors:has-[:checked]:border-[Highlight]',
              isMissing ? 'border-bad' : 'border-line',
              value.left === 0 && !isOpenEdition && 'border-dashed text-muted',
            )}
          >
            <input
              type="radio"
              name="option"
              form={BUY_FORM}
              value={value.value}
              checked={chosen === value.value}
              onChange={() => onChoose(value.value)}
              className="sr-only"
            />
            <span dir="auto" className="font-semibold">
              {value.value}
            </span>
            {isOpenEdition ? null : <span className="tabular text-xs text-muted">{leftText(value)}</span>}
          </label>
        ))}
      </div>
      <p id="options-problem" role="alert" className="mt-2 text-sm font-medium text-bad empty:hidden">
        {isMissing ? chooseOptionText(option.name) : null}
      </p>
    </fieldset>
  )
}
