/**
 * The query keys of the panel. useAdminList() adds the search and the filters to the key of a list, so that
 * invalidating the key of a list refreshes all searches of that list.
 */
export const adminKeys = {
  stats: ['api', 'admin', 'stats'],
  users: ['api', 'admin', 'users'],
  drops: ['api', 'admin', 'drops'],
  platform: ['api', 'admin', 'platform-settings'],
} as const
