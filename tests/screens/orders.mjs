// Lists the screens about a seller's orders. The plain lists of orders are in selling.mjs.
import { openDialog } from './open-dialog.mjs'

/** @param {import('@playwright/test').Page} page */
async function openNewestOrder(page) {
  await page.locator('main li a[href^="/orders/"]').first().click()
  await page.getByRole('heading', { level: 1, name: /^Order / }).waitFor()
}

/** @type {import('./open-screen.mjs').Screen[]} */
export const orderScreens = [
  { name: 'orders-none-found', path: '/orders?q=nobody', as: 'mira' },
  { name: 'orders-detail', path: '/orders', as: 'mira', act: openNewestOrder },
  {
    name: 'orders-shipping',
    path: '/orders?show=ship',
    as: 'mira',
    act: async (page) => {
      await openNewestOrder(page)
      await openDialog(page, 'Mark as shipped')
    },
  },
  {
    name: 'orders-refund',
    path: '/orders?show=ship',
    as: 'mira',
    act: async (page) => {
      await openNewestOrder(page)
      await openDialog(page, 'Refund')
    },
  },
  {
    name: 'orders-scanned',
    path: '/orders?show=ship',
    as: 'mira',
    act: async (page) => {
      await openNewestOrder(page)
      await page.goto(`${page.url()}/ship`)
    },
  },
  {
    name: 'orders-dispute',
    path: (shop) => shop.disputed().then(() => '/orders?show=disputed'),
    as: 'juno',
    act: openNewestOrder,
  },
  {
    name: 'orders-decline',
    path: (shop) => shop.asked().then(() => '/orders?show=asked'),
    as: 'juno',
    act: async (page) => {
      await openNewestOrder(page)
      await openDialog(page, 'Decline')
    },
  },
  { name: 'orders-slips', path: '/orders/slips', as: 'mira' },
  { name: 'orders-label', path: '/orders/slips?size=label', as: 'mira' },
  {
    name: 'orders-import',
    path: '/orders/import',
    as: 'mira',
    act: async (page) => {
      await page.getByLabel('Or paste its lines').fill('order,carrier,tracking_number\nNOBODY12,USPS,9400 1000 0000')
      await page.getByRole('button', { name: 'Preview changes' }).click()
      await page.getByText("You don't have an order with this number.").waitFor()
    },
  },
]
