import 'server-only'

/** Which orders are sales of a seller, as parts of SQL statements. */
export const saleSql = {
  /**
   * Whether a paid order `o` got its units. An order without units was refunded right away by the platform
   * (docs/product.md#paid-too-late), so nothing was sold.
   */
  gotUnits: `NOT EXISTS (SELECT FROM "Refund" v WHERE v."orderId" = o."id" AND v."requestedBy" = 'system')`,
} as const
