/** The one home of the product's name and words about itself. */
export const brand = {
  name: 'Lastcall',
  tagline: 'Drops that end',
  description: 'Time-limited drops from creators, each behind one link. When the clock ends, so does the sale.',
  /** Where people write to. */
  contact: {
    support: 'support@lastcall.example',
    privacy: 'privacy@lastcall.example',
    legal: 'legal@lastcall.example',
  },
} as const

/** SPEC §9: all three policies carry this date. */
export const policiesDated = { iso: '2025-07-29', text: 'July 29, 2025' } as const
