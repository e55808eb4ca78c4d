import 'server-only'
import type { ErrorTable } from '@/lib/kernel/app-error'
import { checkoutErrors, orderErrors, orderTexts, refundErrors, shippingErrors } from '@/lib/orders/messages'

const table: ErrorTable = { ...checkoutErrors, ...orderErrors, ...refundErrors, ...shippingErrors }

/** The text for a refused form on the order page; null for an error code that is not about an order. */
export function formProblem(code: string): string | null {
  if (code === 'INVALID_INPUT') return orderTexts.emptyMessage
  return Object.hasOwn(table, code) ? (table[code]?.text ?? null) : null
}
