/**
 * The query key of the seller's list of drops. The dashboard polls the list, and every change of a drop or a plan
 * refreshes it.
 */
export const sellerDropsKey = ['api', 'drops', 'user'] as const
