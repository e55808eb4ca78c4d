/** The types of products that a drop may sell: goods that are shipped, a file, or an appointment. */
export const productTypes = ['physical', 'digital', 'service'] as const

export type ProductType = (typeof productTypes)[number]

/** The types as screens name them. */
export const productTypeLabels: Record<ProductType, string> = {
  physical: 'Physical',
  digital: 'Digital',
  service: 'Service',
}
