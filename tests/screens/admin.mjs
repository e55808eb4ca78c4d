// Lists the screens of the admin panel, including the one for users who are not administrators. The lists are searched,
// because other screens create so many users and drops that those of the demo are not in the first part.

/** @type {import('./open-screen.mjs').Screen[]} */
export const adminScreens = [
  { name: 'admin', path: '/admin', as: 'admin' },
  {
    name: 'admin-users',
    path: '/admin?tab=users&q=mira',
    as: 'admin',
    act: (page) => page.getByText('@mira').waitFor(),
  },
  {
    name: 'admin-manage-user',
    path: '/admin?tab=users&q=mira',
    as: 'admin',
    act: async (page) => {
      await page.getByText('@mira').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'admin-drops',
    path: '/admin?tab=drops&q=mug',
    as: 'admin',
    act: (page) => page.getByText('Speckled stoneware mug').waitFor(),
  },
  {
    name: 'admin-manage-drop',
    path: '/admin?tab=drops&q=mug',
    as: 'admin',
    act: async (page) => {
      await page.getByRole('button', { name: 'Manage Speckled stoneware mug' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'admin-settings', path: '/admin?tab=settings', as: 'admin' },
  {
    name: 'admin-extend-all',
    path: '/admin?tab=settings',
    as: 'admin',
    act: (page) => page.getByLabel('Include drops that ended during the outage').click(),
  },
  {
    name: 'admin-command',
    path: '/admin',
    as: 'admin',
    act: async (page) => {
      await page.getByRole('link', { name: 'Search' }).click()
      await page.getByRole('combobox').fill('mira')
      await page.getByRole('group', { name: 'Drops' }).waitFor()
    },
  },
  { name: 'admin-search', path: '/admin/search?q=mug', as: 'admin' },
  {
    name: 'admin-saved',
    path: '/admin?tab=users&show=pro',
    as: 'admin',
    act: async (page) => {
      await page.getByRole('button', { name: 'Save this filter' }).click()
      await page.getByRole('link', { name: 'pro', exact: true }).waitFor()
    },
  },
  { name: 'admin-denied', path: '/admin', as: 'mira' },
  ...['audit', 'orders', 'events', 'reviews', 'users/2'].map((page) => ({
    name: `admin-${page.replace('/', '-')}`,
    path: `/admin/${page}`,
    as: 'admin',
  })),
]
