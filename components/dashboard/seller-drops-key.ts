/**
 * The query key of the seller's list of drops. The dashboard polls the list. Publishing, changing and deleting a drop
 * refresh the list, and so do an upgrade to Pro and a push from the server.
 */
export const sellerDropsKey = ['api', 'drops', 'user'] as const
