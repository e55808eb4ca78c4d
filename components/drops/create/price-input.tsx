'use client'

import { type ChangeEvent, type ComponentProps, useRef } from 'react'
import { Input } from '@/components/ui/input'
import { typedPrice } from './typed-price'

/**
 * The input of the formatted price. The formatting shows "12," as "12." and drops a third decimal, so "1,234" would
 * become 1.23. This input therefore remembers what was typed at the end or pasted, and parses all of it again after
 * each keystroke.
 */
export function PriceInput({ onChange, value, ...props }: ComponentProps<typeof Input>) {
  const typed = useRef<string | null>(null)

  function change(event: ChangeEvent<HTMLInputElement>): void {
    const [before, after] = [String(value ?? ''), event.target.value]
    typed.current = isEdit(event.nativeEvent, before, after) ? null : whole(typed.current, before, after)
    if (typed.current !== null) event.target.value = `$${typedPrice(typed.current)}`
    onChange?.(event)
  }

  return <Input {...props} value={value} onChange={change} />
}

/** Returns the whole typed text: what was typed before plus one more character, or the text that replaced it. */
function whole(typed: string | null, before: string, after: string): string {
  const isAppended = before !== '' && after.startsWith(before) && after.length === before.length + 1
  return isAppended ? (typed ?? before.replaceAll(',', '')) + after.slice(-1) : after
}

/** Whether something was deleted, or one character was typed into the middle. The formatting handles both. */
function isEdit(event: Event, before: string, after: string): boolean {
  if (!(event instanceof InputEvent)) return false
  return event.inputType.startsWith('delete') || (event.data?.length === 1 && !after.startsWith(before))
}
