// Lists the screens for creating and managing drops, the plain lists of orders, and the payouts.
import { openDialog, openMoreDialog } from './open-dialog.mjs'

/** @type {import('./open-screen.mjs').Screen[]} */
export const sellingScreens = [
  { name: 'create', path: '/create', as: 'ines_makes' },
  { name: 'create-free', path: '/create', as: 'lena_linen' },
  {
    name: 'create-missing',
    path: '/create',
    as: 'ines_makes',
    act: async (page) => {
      await openCollapsedForm(page)
      await page.getByRole('button', { name: 'Create Drop' }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'create-filled',
    path: '/create',
    as: 'ines_makes',
    act: async (page) => {
      await openCollapsedForm(page)
      await page
        .getByLabel('Add product images')
        .setInputFiles(['ceramic-mug-1', 'poured-candle-1'].map((file) => `prisma/seed/images/${file}.webp`))
      await page.getByLabel('Product Name').fill('Pocket notebook, hand-sewn')
      await page.getByLabel('Description').fill('Forty-eight pages of soft cream paper, sewn by hand.')
      await page.getByLabel('Price').fill('18')
    },
  },
  {
    name: 'create-crop',
    path: '/create',
    as: 'ines_makes',
    act: async (page) => {
      await openCollapsedForm(page)
      await page.getByLabel('Add product images').setInputFiles('prisma/seed/images/ceramic-mug-1.webp')
      await page.getByRole('button', { name: 'Crop photo 1' }).click()
      await page.getByRole('slider', { name: 'Straighten' }).fill('6')
      await page.getByRole('button', { name: 'Use photo' }).and(page.locator(':enabled')).waitFor()
    },
  },
  {
    name: 'create-upload-failed',
    path: '/create',
    as: 'ines_makes',
    act: async (page) => {
      await openCollapsedForm(page)
      await page.route('**/api/uploads/photo', (route) => route.abort())
      await page.getByLabel('Add product images').setInputFiles('prisma/seed/images/ceramic-mug-1.webp')
      await page.getByRole('button', { name: 'Upload again' }).waitFor()
    },
  },
  {
    name: 'create-digital',
    path: '/create',
    as: 'ines_makes',
    act: async (page) => {
      await openCollapsedForm(page)
      await page.getByText('Digital', { exact: true }).click()
      await page.getByLabel('Custom Link').fill('low-sun')
      await page.getByText('This custom link is already taken.').waitFor()
      await page.getByLabel('Choose a digital file').evaluate((input) => {
        if (!(input instanceof HTMLInputElement)) throw new Error('this is not a file input')
        const transfer = new DataTransfer()
        transfer.items.add(new File([new Uint8Array(110 * 1024 * 1024)], 'quiet-light-presets.zip'))
        input.files = transfer.files
        input.dispatchEvent(new Event('change', { bubbles: true }))
      })
      await page.getByText('Large File Detected').first().waitFor()
    },
  },
  { name: 'success', path: '/success?drop=low-sun', as: 'juno' },
  { name: 'dashboard', path: '/', as: 'mira' },
  { name: 'dashboard-pro', path: '/', as: 'juno' },
  { name: 'dashboard-edit', path: '/', as: 'mira', act: (page) => openDialog(page, /^Edit (?!Profile$)/) },
  { name: 'dashboard-end', path: '/', as: 'mira', act: (page) => openMoreDialog(page, 'End early') },
  { name: 'dashboard-relaunch', path: '/', as: 'juno', act: (page) => openDialog(page, 'Relaunch Now') },
  { name: 'dashboard-qr', path: '/', as: 'mira', act: (page) => openMoreDialog(page, 'QR code') },
  { name: 'dashboard-done', path: '/', as: 'tomas_wax' },
  {
    name: 'dashboard-analytics',
    path: '/',
    as: 'juno',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^More about / })
        .first()
        .click()
      await page.getByText('Live Analytics').first().click()
      await page.getByText('Where visitors came from').waitFor()
    },
  },
  {
    name: 'drop-owner',
    path: '/drop/low-sun',
    as: 'juno',
    act: (page) => page.getByText('Where visitors came from').waitFor(),
  },
  {
    name: 'recap',
    path: '/',
    as: 'mira',
    act: async (page) => {
      await page
        .getByRole('link', { name: /^Recap of/ })
        .first()
        .click()
      await page.getByRole('heading', { name: 'What you keep' }).waitFor()
    },
  },
  { name: 'orders', path: '/orders', as: 'mira' },
  { name: 'orders-to-ship', path: '/orders?show=ship', as: 'mira' },
  { name: 'payouts', path: '/payouts', as: 'mira' },
  { name: 'orders-empty', path: '/orders', as: 'admin' },
]

/**
 * Opens the form of a seller whose plan has no free place. It is collapsed below the notice that says so.
 * @param {import('@playwright/test').Page} page
 */
async function openCollapsedForm(page) {
  await page.getByText('Prepare your next drop').click()
}
