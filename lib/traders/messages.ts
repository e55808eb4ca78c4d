import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { countryName, countryWithArticle } from '@/lib/kernel/country'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { DAY_MS } from '@/lib/kernel/time'
import { type LimitUse, readTaxPeriod } from './rules'

/** The texts of the seller details (docs/product.md#seller-details). */
export const traderTexts = {
  title: 'Seller details',
  intro:
    "Tell buyers who they're buying from. The law in the European Union and some other countries requires this of everyone who sells as a business.",
  accountText: 'Say whether you sell as a private person or as a business, and download your tax report.',
  open: 'Open seller details',
  kindLabel: 'How do you sell?',
  private: 'As a private person',
  privateHint: 'You sell your own things now and then. Buyers see that you sell as a private person.',
  business: 'As a business',
  businessHint:
    'You sell to earn money, such as things you make or things you buy to resell. Buyers see your name and address.',
  countryLabel: 'Country',
  legalNameLabel: 'Legal name',
  legalNameHint: "The name of your company, or your own first and last name if you don't have one.",
  addressLabel: 'Address',
  addressHint: "Street and number, postal code and city. A post office box isn't enough.",
  emailLabel: 'Contact email',
  phoneLabel: 'Phone',
  registerLabel: 'Trade register and number',
  registerHint: "If you're listed in one, such as “Amtsgericht Berlin, HRB 12345”.",
  vatIdLabel: 'VAT number',
  certifyLabel: 'I only offer goods and services that comply with the law.',
  certifyMissing: 'Please confirm this. Businesses can only sell what complies with the law.',
  shownTo: 'Buyers see this on your drops before they pay, on their order page and on their receipt.',
  kindMissing: 'Choose how you sell.',
  countryMissing: 'Choose your country.',
  legalNameMissing: 'Enter the legal name of your business.',
  addressMissing: 'Enter the postal address of your business.',
  emailMissing: 'Enter an email address that buyers can write to.',
  emailInvalid: 'Please enter a valid email address.',
  oneLine: 'Please write this on one line, without links.',
  fewLines: 'Please use at most five lines, without links.',
  tooLong: (most: number) => `Use at most ${most} characters.`,
  phoneInvalid: 'Enter a phone number like +1 555 555 0100.',
  passwordLabel: 'Your password',
  passwordHint: "You signed in some time ago, so please confirm that it's you.",
  save: 'Save seller details',
  saved: { title: 'Seller details saved', description: 'Your drops show them right away.' },
  limitTitle: 'Sold this month',
  highVolume: 'Tell buyers who you are',
  connect: 'Go to payouts',
  ratesTitle: 'Taxes',
  ratesIntro:
    "Your prices include tax. Enter your VAT rate for each country that you owe tax in, and download a report of the tax on your sales. We don't pay or report this tax for you, unless an order says “Tax, paid by us”. The report leaves out such orders.",
  ratesLabel: 'Your VAT rates',
  ratesHint: 'One country per line, such as “DE 19”. If a rate changes, add a line: “DE 20 from 2027-01-01”.',
  saveRates: 'Save VAT rates',
  ratesSaved: { title: 'VAT rates saved' },
  rateLine: 'Write each line like “DE 19” or “DE 20 from 2027-01-01”. A rate is at most 50.',
  rateTwice: (country: string) =>
    `${countryName(country)} is in two lines. Keep one of them, or give one a first day, as in “${country} 20 from 2027-01-01”.`,
  periodLabel: 'Period',
  downloadTaxes: 'Download tax report (CSV)',
  badPeriod: 'Choose a month or a quarter from the list.',
} as const

export type TaxText = { label: string; value: (taxCents: number) => string }

/** The lines about the tax that Stripe Tax found in the price of an order (docs/product.md#stripe-tax). */
export const taxTexts = {
  /** What buyers read below the total. */
  included: { label: 'Tax, included', value: formatUsd },
  /** What sellers read below the platform fee. */
  withheld: { label: 'Tax, paid by us', value: (taxCents: number) => `−${formatUsd(taxCents)}` },
  /** The line of a sum in which the fee and the tax are one amount. */
  feeAndTax: 'Platform fee and tax',
} as const satisfies Record<string, TaxText | string>

const traderErrors = {
  BAD_PERIOD: { status: 400, text: traderTexts.badPeriod, field: 'period' },
} as const satisfies ErrorTable

export const traderError = /* @__PURE__ */ errorsFrom(traderErrors)

/** The name of a period as people read it: "November 2026" and "October to December 2026". */
export function periodLabel(name: string): string {
  const period = readTaxPeriod(name)
  if (!period) return name
  const month = (day: string) => new Date(day).toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' })
  const last = new Date(Date.parse(period.to) - DAY_MS).toISOString().slice(0, 10)
  const months = [...new Set([month(period.from), month(last)])].join(' to ')
  return `${months} ${period.from.slice(0, 4)}`
}

/** The line about a private seller. `username` may be null after the account was closed. */
export function privateSellerText(username: string | null): string {
  const who = username === null ? 'The seller' : `@${username}`
  return `${who} sells as a private person. The rights that consumer law gives you against businesses do not apply to this purchase.`
}

/** The heading of a business's details. */
export const soldByText = (legalName: string): string => `Sold by ${legalName}`

/** What a business has certified, as buyers see it. */
export const certifiedText = (legalName: string): string =>
  `${legalName} has confirmed that it offers only goods and services that comply with the law.`

/** How much of the monthly limit is used: "$812.00 of $1,000.00". */
export const limitUseText = (usedCents: number, capCents: number): string =>
  `${formatUsd(usedCents)} of ${formatUsd(capCents)}`

/** Says what an unverified seller may do, and how to lift the limit. */
export function sellerLimitText(capCents: number, country: string): string {
  return `Until Stripe has checked your account, you can take orders worth up to ${formatUsd(capCents)} a month, and ship only within ${countryWithArticle(country)}.`
}

/** Says that the seller has passed the thresholds for a high-volume seller, and what to do. */
export function highVolumeText(sales: number, revenueCents: number): string {
  return `You made ${formatCount(sales)} sales worth ${formatUsd(revenueCents)} in twelve months. US law requires high-volume sellers to identify themselves. Fill in your seller details and connect payouts.`
}

/** The line on the dashboard for a seller who is close to the limit of this month, or has reached it. */
export function limitNoticeTexts({ stage, usedCents, capCents }: LimitUse & { stage: 'near' | 'full' }) {
  const connect = 'Connect payouts to lift the limit.'
  if (stage === 'near') {
    return {
      title: `${limitUseText(usedCents, capCents)} used this month`,
      text: `New sellers have a monthly limit. ${connect}`,
    }
  }
  return { title: "You've reached this month's limit", text: `Buyers can't order until next month. ${connect}` }
}
