import 'server-only'
import type { ErrorTable } from '@/lib/kernel/app-error'
import { checkoutErrors } from '@/lib/checkout/messages'
import { orderErrors, orderTexts } from '@/lib/orders/messages'
import { refundErrors } from '@/lib/refunds/messages'
import { shippingErrors } from '@/lib/shipping/messages'

const table: ErrorTable = { ...checkoutErrors, ...orderErrors, ...refundErrors, ...shippingErrors }

/** The text for a refused form on the order page; null for an error code that is not about an order. */
export function formProblem(code: string): string | null {
  if (code === 'INVALID_INPUT') return orderTexts.emptyMessage
  return Object.hasOwn(table, code) ? (table[code]?.text ?? null) : null
}
