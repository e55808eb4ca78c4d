// The screens of administrators.

/** @type {import('./shots.mjs').Screen[]} */
export const adminScreens = [
  { name: 'admin', path: '/admin', as: 'admin' },
  { name: 'admin-users', path: '/admin?tab=users', as: 'admin', act: (page) => page.getByText('@mira').waitFor() },
  {
    name: 'admin-manage-user',
    path: '/admin?tab=users',
    as: 'admin',
    act: async (page) => {
      await page.getByText('@mira').click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'admin-drops',
    path: '/admin?tab=drops',
    as: 'admin',
    act: (page) => page.getByText('Speckled stoneware mug').waitFor(),
  },
  {
    name: 'admin-manage-drop',
    path: '/admin?tab=drops',
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
  { name: 'admin-denied', path: '/admin', as: 'mira' },
  ...['audit', 'orders', 'events', 'reviews', 'users/2'].map((room) => ({
    name: `admin-${room.replace('/', '-')}`,
    path: `/admin/${room}`,
    as: 'admin',
  })),
]
