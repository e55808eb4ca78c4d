import type { ErrorTable } from '@/lib/kernel/app-error'

/** The text about a country that is not given as a code. */
export const badCountry = 'Please give the country as a two-letter code, such as DE.'

/** The errors about the country that an order is shipped to. messages.ts adds them to this domain's error table. */
export const countryErrors = {
  COUNTRY_MISSING: { status: 400, text: 'Please choose the country that your order ships to.', field: 'country' },
  COUNTRY_UNKNOWN: {
    status: 400,
    text: "We can't ship to this country. Please choose one from the list.",
    field: 'country',
  },
  COUNTRY_REFUSED: {
    status: 400,
    text: "This drop doesn't ship to this country. Please choose another.",
    field: 'country',
  },
} as const satisfies ErrorTable

/** The text for a buyer who chose a country that the drop is not shipped to. */
export function refusedCountryText(country: string): string {
  return `This drop doesn't ship to ${country}. Please choose another country on the drop's page.`
}

/** The text for a buyer whose wallet provided an address outside the only country that the drop is shipped to. */
export function onlyCountryText(country: string): string {
  return `The seller ships this drop only to ${country}. Choose an address there.`
}

/** The text for a buyer whose wallet provided an address in another country than the chosen one. */
export function otherCountryText(country: string): string {
  return `You chose shipping to ${country}. Choose an address there, or another country on this page.`
}
