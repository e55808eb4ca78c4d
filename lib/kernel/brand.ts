/** The product's name and texts about itself; no other file repeats them. */
export const brand = {
  name: 'Lastcall',
  tagline: 'Drops that end',
  description: 'Time-limited drops from creators, each behind one link. When the clock ends, so does the sale.',
  /** The addresses for users who write to us. */
  contact: {
    support: 'support@lastcall.example',
    privacy: 'privacy@lastcall.example',
    legal: 'legal@lastcall.example',
  },
} as const

/** All three policies show this date (docs/product.md#legal-pages). */
export const policiesDated = { iso: '2025-07-29', text: 'July 29, 2025' } as const
