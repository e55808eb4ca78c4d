/** The longest texts of the seller details (docs/product.md#seller-details). */
export const DETAIL_LIMITS = { legalName: 120, address: 300, email: 254, phone: 40, register: 120, vatId: 40 } as const

/** The dashboard warns the seller once this fraction of the monthly limit is used. */
const NEARLY_USED = 0.8

/**
 * The monthly limit with live keys unless the operator sets another one, which the terms and the help chat name. It
 * must match LIVE_CAP_CENTS in lib/infra/read-seller-limit.mjs.
 */
export const USUAL_CAP_CENTS = 100_000

/** How much of the monthly limit an unverified seller has used. */
export type LimitUse = { capCents: number; usedCents: number }

/**
 * Returns the stage of the monthly limit. The dashboard shows nothing while it is `free`, and warns the seller when it
 * is `near`. `full` means that the whole limit is used.
 */
export function limitStage({ capCents, usedCents }: LimitUse): 'free' | 'near' | 'full' {
  if (usedCents >= capCents) return 'full'
  return usedCents >= capCents * NEARLY_USED ? 'near' : 'free'
}

/**
 * The thresholds at which the INFORM Consumers Act of the US calls a seller a high-volume seller. Both must be reached
 * within any twelve months of the last 24.
 */
export const HIGH_VOLUME = { sales: 200, revenueCents: 500_000 } as const

/** The largest VAT rate, in basis points: 50 %. A CHECK constraint has the same limit. */
const MAX_RATE_BPS = 5_000

/**
 * Reads a VAT rate as people type it, such as "19", "5,5" or "8.1 %".
 * @returns the rate in basis points (1900 is 19 %); null for anything else
 */
export function parseRateBps(typed: string): number | null {
  const match = /^(\d{1,2})(?:[.,](\d{1,2}))?\s*%?$/.exec(typed.trim())
  if (!match) return null
  const bps = Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
  return bps <= MAX_RATE_BPS ? bps : null
}

/** The rate as people write it: "19" for 1900, and "8.1" for 810. */
export const formatRate = (bps: number): string => String(bps / 100)

/** The line of the form for a rate: "DE 19", or "DE 20 from 2027-01-01" for a rate with a first day. */
export function rateLine({ country, rateBps, fromDay }: { country: string; rateBps: number; fromDay: string }): string {
  return `${country} ${formatRate(rateBps)}${fromDay === '' ? '' : ` from ${fromDay}`}`
}

/**
 * The tax that a sum contains, because prices are gross: sum × rate ÷ (100 % + rate), rounded to whole cents, half a
 * cent away from zero. A refunded sum is negative, and so is its tax.
 */
export function taxCents(grossCents: number, rateBps: number): number {
  const divisor = 10_000 + rateBps
  const rounded = Math.floor((2 * Math.abs(grossCents) * rateBps + divisor) / (2 * divisor))
  return grossCents < 0 && rounded > 0 ? -rounded : rounded
}

/** A month or a quarter of a tax report: its first day and the first day after it, such as "2026-10-01". */
export type TaxPeriod = { name: string; from: string; to: string }

const dayOf = (year: number, month: number) => new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)

/**
 * Reads the name of a period: "2026-11" is a month, and "2026-Q4" is a quarter.
 * @returns null for anything else.
 */
export function readTaxPeriod(name: string): TaxPeriod | null {
  const [, year, quarter, month] = /^(20\d\d)-(?:Q([1-4])|(0[1-9]|1[0-2]))$/.exec(name) ?? []
  if (year === undefined) return null
  const first = quarter ? (Number(quarter) - 1) * 3 : Number(month) - 1
  return { name, from: dayOf(Number(year), first), to: dayOf(Number(year), first + (quarter ? 3 : 1)) }
}

const MONTHS_OFFERED = 12
const QUARTERS_OFFERED = 4

/** Returns the periods that the form offers, newest first: months and quarters that have begun by `today`, in UTC. */
export function offeredPeriods(today: Date): { months: string[]; quarters: string[] } {
  const year = today.getUTCFullYear()
  const month = today.getUTCMonth()
  const months = Array.from({ length: MONTHS_OFFERED }, (_, back) => dayOf(year, month - back).slice(0, 7))
  const quarters = Array.from({ length: QUARTERS_OFFERED }, (_, back) => {
    const first = new Date(Date.UTC(year, Math.floor(month / 3) * 3 - back * 3, 1))
    return `${first.getUTCFullYear()}-Q${Math.floor(first.getUTCMonth() / 3) + 1}`
  })
  return { months, quarters }
}
