import { formatUsd } from '@/lib/kernel/money'

/** A discount code and its amount, as receipts and lists show them: "FRIENDS, −$4.80". */
export function discountText({ code, cents }: { code: string; cents: number }): string {
  return `${code}, −${formatUsd(cents)}`
}
