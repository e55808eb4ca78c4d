import { countryName } from '@/lib/kernel/country'
import { toCsv } from '@/lib/kernel/csv'
import { formatRate, taxCents } from './rules'

/**
 * What a seller has stated about themselves (docs/product.md#seller-details). For a private person all strings except
 * `country` are empty.
 */
export type SellerDetailsView = {
  kind: 'private' | 'business'
  country: string
  legalName: string
  address: string
  email: string
  phone: string
  register: string
  vatId: string
  isCertified: boolean
  /** When this was stated, as an ISO time. */
  statedAt: string
}

/** What buyers see about the seller. A private person's country is not shown. */
export type TraderView =
  | { kind: 'private' }
  | ({ kind: 'business' } & Pick<
      SellerDetailsView,
      'legalName' | 'address' | 'country' | 'email' | 'phone' | 'register' | 'vatId'
    >)

/** Makes what buyers are shown about a seller. The name and address of a private person stay private. */
export function toTraderView(details: Omit<SellerDetailsView, 'statedAt' | 'isCertified'> | null): TraderView | null {
  if (!details) return null
  if (details.kind === 'private') return { kind: 'private' }
  const { legalName, address, country, email, phone, register, vatId } = details
  return { kind: 'business', legalName, address, country, email, phone, register, vatId }
}

/** The lines of a business's postal address with its country, as on a letter. */
export function addressLines({ address, country }: { address: string; country: string }): string[] {
  return [...address.split('\n'), countryName(country)]
}

/**
 * The sales of the busiest twelve months of the last 24, and whether they reach the thresholds for a high-volume
 * seller.
 */
export type SalesView = { sales: number; revenueCents: number; isHighVolume: boolean }

/** What the dashboard says about the seller's details and limits; null where there is nothing to say. */
export type TraderNoticeView = {
  limit: { stage: 'near' | 'full'; usedCents: number; capCents: number } | null
  /**
   * Set when the seller has reached the thresholds for a high-volume seller and has not stated the details of a
   * business.
   */
  highVolume: { sales: number; revenueCents: number } | null
}

/** The sums of one country and rate in a period. Each is the sum of the orders, refunds or disputes behind it. */
export type CountrySums = {
  /**
   * The country that the orders were shipped to, or that of the payment for a download or a service; empty if neither
   * is known.
   */
  country: string
  /** The VAT rate that the seller stated for this country and the day of the orders; null when none is stated. */
  rateBps: number | null
  orders: number
  grossCents: number
  refundsCents: number
  lostDisputesCents: number
}

/** A line of the tax report: gross = refunds + lost disputes + net + tax. */
export type TaxLine = CountrySums & { netCents: number; taxCents: number }

/** Adds the net and the tax to the sums of a country. Without a stated rate the tax is 0. All amounts are in cents. */
export function toTaxLine(sums: CountrySums): TaxLine {
  const kept = sums.grossCents - sums.refundsCents - sums.lostDisputesCents
  const tax = taxCents(kept, sums.rateBps ?? 0)
  return { ...sums, netCents: kept - tax, taxCents: tax }
}

const TAX_COLUMNS = [
  'country', 'rate_percent', 'orders', 'gross_cents', 'refunds_cents', 'lost_disputes_cents', 'net_cents', 'tax_cents',
] // prettier-ignore

/** The tax report as CSV, in whole cents. A country without a stated rate has an empty rate and no tax. */
export function toTaxCsv(lines: readonly TaxLine[]): string {
  return toCsv(
    TAX_COLUMNS,
    lines.map((line) => [
      line.country || 'unknown',
      line.rateBps === null ? '' : formatRate(line.rateBps),
      line.orders,
      line.grossCents,
      line.refundsCents,
      line.lostDisputesCents,
      line.netCents,
      line.taxCents,
    ]),
  )
}
