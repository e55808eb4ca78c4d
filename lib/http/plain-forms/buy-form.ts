import 'server-only'
import { pathWithEarly } from '@/lib/drops/start/early-rules'
import { escapeHtml } from './plain-page'

/** What a buyer without JavaScript has chosen. The form sends it again when its button is pressed. */
export type BuyChoice = {
  quantity: number
  option?: string | undefined
  country?: string | undefined
  code?: string | undefined
  early?: string | undefined
  work?: string
}

/** Returns the HTML of a form that sends the same order again, and of a link back to the drop. */
export function buyForm(dropPath: string, choice: BuyChoice, texts: { button: string; back: string }): string {
  const hidden = Object.entries(choice).map(([name, value]) =>
    value === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`,
  )
  return `<form method="post" action="${escapeHtml(dropPath)}/buy">${hidden.join('')}
<button>${escapeHtml(texts.button)}</button></form>
<nav><a href="${escapeHtml(pathWithEarly(dropPath, choice.early))}">${escapeHtml(texts.back)}</a></nav>`
}
