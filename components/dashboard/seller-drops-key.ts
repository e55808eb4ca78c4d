/** The query key of the seller's list of drops: the dashboard polls it, and every change of a drop or plan refreshes it. */
export const sellerDropsKey = ['api', 'drops', 'user'] as const
