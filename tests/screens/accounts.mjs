// Lists the screens for signing up, for logging in, and for an account with its profile, plan and suspension.

/** @type {import('./open-screen.mjs').Screen[]} */
export const accountScreens = [
  { name: 'login', path: '/login' },
  {
    name: 'login-create',
    path: '/login',
    act: async (page) => {
      await page.getByRole('button', { name: 'New here? Create an account' }).click()
      await page.getByRole('heading', { name: 'Create account' }).waitFor()
      await page.getByLabel('Username').fill('mira')
      await page.getByText('Available:').waitFor()
    },
  },
  {
    name: 'login-refused',
    path: '/login',
    act: async (page) => {
      await page.getByLabel('Username').fill('mira')
      await page.getByLabel('Password', { exact: true }).fill('wrong password')
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.getByText('Invalid email/username or password').first().waitFor()
    },
  },
  { name: 'signup', path: '/signup' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'forgot-username', path: '/forgot-username' },
  { name: 'reset-password', path: '/reset-password?token=example' },
  { name: 'confirm-email', path: '/confirm-email?token=example' },
  { name: 'plans', path: '/plans', as: 'mira' },
  { name: 'welcome', path: '/welcome', as: 'mira' },
  { name: 'account', path: '/account', as: 'mira' },
  { name: 'seller-details', path: '/account/seller', as: 'ottos_pepper' },
  { name: 'settings', path: '/', as: 'juno', act: (page) => page.getByRole('button', { name: 'Settings' }).click() },
  {
    name: 'settings-username',
    path: '/',
    as: 'juno',
    act: async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByLabel('New username').fill('mira')
      await page.getByText('Available:').waitFor()
    },
  },
  {
    name: 'edit-profile',
    path: '/',
    as: 'mira',
    act: async (page) => {
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      await page.getByLabel('Profile image', { exact: true }).setInputFiles('prisma/seed/images/ceramic-mug-1.webp')
    },
  },
  { name: 'subscribe', path: '/subscribe', as: 'mira' },
  {
    name: 'upgrade',
    path: '/?upgrade=true',
    as: 'mira',
    act: (page) => page.getByRole('heading', { name: 'Choose Your Plan' }).waitFor(),
  },
  { name: 'appeal', path: '/appeal', as: 'lena_linen' },
  { name: 'dashboard-suspended', path: '/', as: 'lena_linen' },
]
