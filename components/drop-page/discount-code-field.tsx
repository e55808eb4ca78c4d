'use client'

import { useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { codeErrors, unknownCodeHint } from '@/lib/checkout/choices/code-messages'
import { BUY_FORM } from './option-chips'

type DiscountCodeFieldProps = {
  code: string
  /** Why the code could not be used. */
  problem: string | null
  onType: (code: string) => void
}

/**
 * Shows the small "Have a code?" field for a drop that has codes, or whose URL has one. The field belongs to the form
 * of the Buy button, so that it also works without JavaScript. The code is checked when the buyer presses Buy.
 */
export function DiscountCodeField({ code, problem, onType }: DiscountCodeFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    // This keeps a code that was typed before the page's scripts ran.
    if (input.current?.value && input.current.value !== code) onType(input.current.value)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- runs once, after hydration
  }, [])
  useEffect(() => {
    if (problem !== null) input.current?.focus()
  }, [problem])
  return (
    <details
      open={isOpen || code !== '' || problem !== null}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
      className="text-sm"
    >
      <summary className="inline-flex min-h-11 cursor-pointer items-center text-muted underline underline-offset-4">
        Have a code?
      </summary>
      <div className="grid gap-2 pb-1">
        <label htmlFor="discount-code" className="font-semibold">
          Discount code
        </label>
        <div className="flex gap-2">
          <Input
            ref={input}
            id="discount-code"
            name="code"
            form={BUY_FORM}
            value={code}
            onChange={(event) => onType(event.target.value)}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            aria-invalid={problem !== null || undefined}
            aria-describedby={problem === null ? 'discount-code-hint' : 'discount-code-problem'}
            className="min-w-0 flex-1"
          />
          {code === '' ? null : (
            <Button type="button" variant="outline" onClick={() => onType('')}>
              Remove<span className="sr-only"> code</span>
            </Button>
          )}
        </div>
        <p id="discount-code-problem" role="alert" className="font-medium text-bad empty:hidden">
          {problem}
        </p>
        {problem === null ? (
          <p id="discount-code-hint" className="text-muted">
            The next page shows your price with the code before you pay.
          </p>
        ) : problem === codeErrors.CODE_UNKNOWN.text ? (
          <p className="text-muted">{unknownCodeHint}</p>
        ) : null}
      </div>
    </details>
  )
}
