import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

export const shippingTexts = {
  emptyFile: 'Choose a file or paste its lines.',
  longFile: 'This file is too large. Please send at most 5,000 lines per file.',
  badDay: 'Choose a day.',
} as const

export const shippingErrors = {
  NOT_SHIPPABLE: { status: 409, text: "There's nothing to ship for this order right now." },
  ADDRESS_FIXED: {
    status: 409,
    text: "You can't change the address anymore. If your order is on its way, ask the carrier or message the seller.",
  },
  ADDRESS_OFTEN: {
    status: 409,
    text: "You've changed the address many times. Please message the seller instead.",
  },
  ADDRESS_INVALID: {
    status: 400,
    text: 'Please fill in name, country, street, city and postal code. A phone number looks like +1 555 555 0100.',
  },
  UNDO_OVER: {
    status: 409,
    text: 'The ten minutes have passed. You can still change the address until your order ships.',
  },
  ADDRESS_CHANGED: {
    status: 409,
    text: 'The buyer changed the address after you opened this page. Please reload it and check your label.',
  },
  NOT_LATE: { status: 409, text: "There's nothing to decide about this order right now." },
  DELAY_CHANGED: { status: 409, text: 'The seller has named another day. Please check it and answer again.' },
  BAD_NEW_DAY: {
    status: 400,
    text: 'Choose a day after today and after the promised day, at most 60 days after the later of the two.',
    field: 'day',
  },
  ALREADY_PROPOSED: {
    status: 409,
    text: "You've already named a new day, and your buyer has been asked. Please wait for the answer, or ship the order.",
  },
  TOO_MANY_ROWS: { status: 400, text: shippingTexts.longFile, field: 'csv' },
  NO_COLUMNS: {
    status: 400,
    text: 'The first line must name the columns: order, tracking_number and, if you like, carrier.',
    field: 'csv',
  },
  NOT_COMPLETABLE: { status: 409, text: "There's nothing to confirm for this order right now." },
  ADDRESS_COUNTRY: {
    status: 409,
    text: 'Shipping to that country costs a different amount. Please choose a country from the list, or message the seller.',
    field: 'country',
  },
} as const satisfies ErrorTable

export const shippingError = /* @__PURE__ */ errorsFrom(shippingErrors)

/** The text for a buyer who moves the address of an order to a country that the drop is not shipped to. */
export function unservedAddressText(country: string): string {
  return `The seller doesn't ship this order to ${country}. Please choose a country from the list, or message the seller.`
}
