// Lists the screens that visitors see, apart from those about accounts (accounts.mjs) and payments (checkout.mjs).

/** @type {import('./open-screen.mjs').Screen[]} */
export const visitorScreens = [
  { name: 'landing', path: '/' },
  { name: 'drop-live', path: '/drop/low-sun' },
  { name: 'drop-digital', path: '/drop/quiet-light' },
  { name: 'drop-last-hours', path: '/drop/merino-beanie' },
  { name: 'drop-sold-out', path: '/drop/small-good-things' },
  { name: 'drop-ended', path: '/drop/two-moons' },
  { name: 'drop-paused', path: (shop) => shop.findDrop('paused') },
  {
    name: 'drop-viewer',
    path: '/drop/low-sun',
    act: async (page) => {
      await page.getByRole('button', { name: 'Previous photo' }).waitFor()
      await page
        .getByRole('link', { name: /: view full screen$/ })
        .first()
        .click()
      await page.getByRole('dialog', { name: 'Photos, full screen' }).waitFor()
    },
  },
  {
    name: 'drop-remind-asked',
    path: '/drop/two-moons',
    act: async (page) => {
      await page.getByLabel('Email', { exact: true }).fill('bea@example.com')
      await page.getByRole('button', { name: 'Remind me' }).click()
      await page.getByText('Check your inbox').waitFor()
    },
  },
  { name: 'remind-sent', path: '/remind/sent' },
  { name: 'remind-confirm', path: '/remind/confirm?token=example' },
  {
    name: 'drop-follow-open',
    path: '/drop/two-moons',
    act: async (page) => {
      await page.getByText(/^Hear about @/).click()
      await page.getByLabel('Your email').scrollIntoViewIfNeeded()
    },
  },
  { name: 'follow-sent', path: '/follow/sent' },
  { name: 'follow-expired', path: '/follow/confirm?token=example' },
  { name: 'follow-stop', path: '/follow/stop?follower=1&key=example' },
  { name: 'profile', path: '/profile/juno' },
  { name: 'profile-empty', path: '/profile/admin' },
  { name: 'api', path: '/api-docs' },
  { name: 'privacy', path: '/privacy-policy' },
  { name: 'terms', path: '/terms-of-service' },
  { name: 'prohibited', path: '/prohibited-content' },
  { name: 'offline', path: '/offline' },
  { name: 'refused', path: '/orders/export.csv' },
  {
    name: 'help-chat',
    path: '/drop/low-sun',
    act: async (page) => {
      await page.getByRole('button', { name: 'Open help chat' }).click()
      await page.getByPlaceholder('Ask me anything...').fill('What are your fees?')
      await page.keyboard.press('Enter')
      await page.getByText('3% on Pro').waitFor()
    },
  },
  { name: 'profile-not-found', path: '/profile/otto_nobody' },
  { name: 'drop-not-found', path: '/drop/nobody-knows' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'drop-report', path: '/drop/low-sun/report' },
  { name: 'profile-report', path: '/profile/juno/report' },
]
