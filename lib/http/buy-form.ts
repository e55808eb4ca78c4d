import 'server-only'
import { escapeHtml } from './plain-page'

/** What a buyer without JavaScript chose; it is sent again with the next press. */
export type BuyChoice = { quantity: number; option?: string | undefined; code?: string | undefined; work?: string }

/** A form of a plain page that sends the same order again, and a way back to the drop. */
export function buyForm(dropPath: string, choice: BuyChoice, texts: { button: string; back: string }): string {
  const hidden = Object.entries(choice).map(([name, value]) =>
    value === undefined ? '' : `<input type="hidden" name="${name}" value="${escapeHtml(String(value))}">`,
  )
  return `<form method="post" action="${escapeHtml(dropPath)}/buy">${hidden.join('')}
<button>${escapeHtml(texts.button)}</button></form>
<nav><a href="${escapeHtml(dropPath)}">${escapeHtml(texts.back)}</a></nav>`
}
