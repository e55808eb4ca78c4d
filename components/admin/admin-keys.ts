/**
 * The query keys of the panel. Every list key begins with its collection, so that one change refreshes all searches of
 * that list.
 */
export const adminKeys = {
  stats: ['api', 'admin', 'stats'],
  users: ['api', 'admin', 'users'],
  drops: ['api', 'admin', 'drops'],
  platform: ['api', 'admin', 'platform-settings'],
} as const
