/** What the seller and the bank read about an order that a follower placed before the public start. */
export const earlyOrderTexts = {
  seller: 'Bought by a follower before the public start.',
  evidence: "The buyer bought before the public start, with the personal link from an email to the seller's followers.",
} as const
