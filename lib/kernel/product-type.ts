/** The kinds of things a drop may sell: a parcel, a file, or an appointment. */
export const productTypes = ['physical', 'digital', 'service'] as const

export type ProductType = (typeof productTypes)[number]
