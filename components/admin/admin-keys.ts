/** The query keys of the panel: every list begins with its collection, so that a change renews all its searches. */
export const adminKeys = {
  stats: ['api', 'admin', 'stats'],
  users: ['api', 'admin', 'users'],
  drops: ['api', 'admin', 'drops'],
  platform: ['api', 'admin', 'platform-settings'],
} as const
