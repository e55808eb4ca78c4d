// Records a purchase, the publishing of a drop and the work of an administrator with the keyboard alone, on a wide
// screen. Nothing is clicked. On each screen, the focus goes through all elements and back, is always visible, and is
// never covered or lost.
import { expect } from '@playwright/test'
import { cardPageAnswers } from '../support/card-page'
import { createSellerAndDrop, freshAddress, signUp, testedApp, uniqueName } from '../support/e2e'
import { drawing } from '../support/photos'
import { expectFocusKept, press, tabTo, test, type, walkScreen } from '../support/recorded-run'
import { expectHydrated, openHydrated } from '../support/screen-checks'
import { walletButton } from '../support/wallet-page'

test.setTimeout(180_000)

test('a buyer can buy a drop and request a refund with the keyboard alone', async ({ page, recording }) => {
  const { path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
  await openHydrated(page, path)
  // The wallets are added when the page is idle.
  await expect(walletButton(page)).toBeVisible()
  await walkScreen(page, recording, 'Drop page')
  await tabTo(page, recording, page.getByRole('button', { name: 'Buy – $24.00' }))
  await press(page, recording, 'Enter')

  await expect(page.getByRole('heading', { name: 'Pay $24.00' })).toBeVisible()
  await walkScreen(page, recording, 'Payment page')
  await tabTo(page, recording, page.getByRole('button', { name: 'Pay $24.00' }))
  await press(page, recording, 'Enter')
  await expect(page.getByRole('alert')).toContainText('Please fix')
  await expectFocusKept(page, recording, 'a payment with empty fields')
  const answers = cardPageAnswers(`${uniqueName('bea')}@example.com`)
  for (const [label, value] of Object.entries(answers)) {
    await tabTo(page, recording, page.getByLabel(label, { exact: true }))
    await type(page, recording, value)
  }
  await press(page, recording, 'Enter')

  await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
  await expectHydrated(page)
  await walkScreen(page, recording, 'Success page')
  await tabTo(page, recording, page.getByRole('link', { name: 'View your order' }))
  await press(page, recording, 'Enter')

  await expect(page.getByRole('heading', { name: 'Thanks for your order' })).toBeVisible()
  await expectHydrated(page)
  await walkScreen(page, recording, 'Order page')
  await tabTo(page, recording, page.locator('summary', { hasText: /^Request a refund$/ }))
  await press(page, recording, 'Enter')
  await tabTo(page, recording, page.getByRole('textbox', { name: 'Your message' }))
  await type(page, recording, 'It does not fit.')
  await tabTo(page, recording, page.getByRole('button', { name: 'Send' }))
  await press(page, recording, 'Space')
  await expect(page.getByText('Request sent.')).toBeVisible()
  await expectFocusKept(page, recording, 'the request')
  await expect(page.getByRole('status').filter({ hasText: 'Request sent.' })).toBeFocused()
  await walkScreen(page, recording, 'Order page after the request')
})

test('a seller can sign in and publish a drop with the keyboard alone', async ({ page, recording }) => {
  const seller = await signUp(testedApp(), { plan: 'pro' })
  await openHydrated(page, '/login?redirect=/create')
  await walkScreen(page, recording, 'Sign-in page')
  await tabTo(page, recording, page.getByRole('textbox', { name: 'Username' }))
  await type(page, recording, seller.username)
  await tabTo(page, recording, page.getByLabel('Password', { exact: true }))
  await type(page, recording, 'wrong password')
  await press(page, recording, 'Enter')
  await expect(page.getByText('Invalid email/username or password').first()).toBeVisible()
  await expectFocusKept(page, recording, 'a refused login')
  await tabTo(page, recording, page.getByLabel('Password', { exact: true }))
  await press(page, recording, 'ControlOrMeta+a')
  await type(page, recording, seller.password)
  await press(page, recording, 'Enter')

  await expect(page.getByRole('heading', { name: 'New drop' })).toBeVisible()
  await expectHydrated(page)
  await walkScreen(page, recording, 'Create form')
  await tabTo(page, recording, page.getByRole('button', { name: 'Create Drop' }))
  await press(page, recording, 'Enter')
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expectFocusKept(page, recording, 'an empty form was sent')

  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, recording, page.getByRole('button', { name: 'Add photos' }))
  await press(page, recording, 'Enter')
  await (await chooser).setFiles([drawing('ceramic-mug-1'), drawing('ceramic-mug-2'), drawing('ceramic-mug-3')])
  await expect(page.getByText('3 of 5')).toBeVisible()
  await expectFocusKept(page, recording, 'photos were added')
  await tabTo(page, recording, page.getByRole('button', { name: 'Move photo 1 later' }), 'Shift+Tab')
  await press(page, recording, 'Space')
  await expectFocusKept(page, recording, 'a photo was moved')
  await tabTo(page, recording, page.getByRole('button', { name: 'Remove photo 3' }))
  await press(page, recording, 'Enter')
  await expect(page.getByText('2 of 5')).toBeVisible()
  await expectFocusKept(page, recording, 'a photo was removed')

  await tabTo(page, recording, page.getByRole('button', { name: 'Crop photo 1' }), 'Shift+Tab')
  await press(page, recording, 'Enter')
  const use = page.getByRole('button', { name: 'Use photo' })
  await expect(use).toBeEnabled()
  await tabTo(page, recording, use)
  await press(page, recording, 'Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expectFocusKept(page, recording, 'a photo was cropped')

  const title = uniqueName('Mug')
  const answers = { 'Product Name': title, Description: 'Thrown by hand, glazed twice.', Price: '24' }
  for (const [label, value] of Object.entries(answers)) {
    await tabTo(page, recording, page.getByLabel(label, { exact: true }))
    await type(page, recording, value)
  }
  await tabTo(page, recording, page.getByRole('radio', { name: /^24h/ }))
  await press(page, recording, 'ArrowRight')
  await expect(page.getByRole('radio', { name: /^48h/ })).toBeChecked()
  await walkScreen(page, recording, 'Create form, filled in')
  await tabTo(page, recording, page.getByRole('button', { name: 'Create Drop' }))
  await press(page, recording, 'Enter')

  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  await expectHydrated(page)
  await walkScreen(page, recording, 'Success page of the seller')
  await tabTo(page, recording, page.getByRole('link', { name: 'Preview Drop' }))
  await press(page, recording, 'Enter')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
})

test('an administrator can change a plan and extend a drop with the keyboard alone', async ({ page, recording }) => {
  const { shop, seller, drop } = await createSellerAndDrop()
  const login = await page.request.post(`${shop.url}/api/auth/login`, {
    data: { email: 'admin', password: 'lastcall-demo' },
    headers: { 'x-forwarded-for': freshAddress() },
  })
  expect(login.status()).toBe(200)
  await openHydrated(page, '/admin')
  // Until the figures are read, the page shows only that it is loading.
  await expect(page.getByRole('heading', { name: 'Admin Panel' })).toBeVisible()
  await walkScreen(page, recording, 'Admin panel')
  await tabTo(page, recording, page.getByRole('tab', { name: 'Dashboard' }), 'Shift+Tab')
  await press(page, recording, 'ArrowRight')
  await expect(page.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true')
  await tabTo(page, recording, page.getByRole('searchbox', { name: 'Search users' }))
  await type(page, recording, seller.username)
  // The rows of the earlier list can still take the focus until the answer to the search replaces them.
  await expect(page.getByRole('button', { name: /@/ })).toHaveCount(1)
  const user = page.getByRole('button', { name: new RegExp(`@${seller.username}`) })
  await tabTo(page, recording, user)
  await press(page, recording, 'Enter')
  const dialog = page.getByRole('dialog', { name: 'Manage User' })
  await expect(dialog).toBeVisible()
  await tabTo(page, recording, dialog.getByRole('button', { name: 'Upgrade to Pro' }))
  await press(page, recording, 'Enter')
  await expect(dialog).toBeHidden()
  await expect(user.getByText('Pro Plan')).toBeVisible()
  await expectFocusKept(page, recording, 'the plan was changed')

  await openHydrated(page, '/admin?tab=drops')
  await tabTo(page, recording, page.getByRole('searchbox', { name: 'Search drops' }))
  await type(page, recording, drop.title)
  await expect(page.getByRole('button', { name: /^Manage / })).toHaveCount(1)
  await tabTo(page, recording, page.getByRole('button', { name: `Manage ${drop.title}` }))
  await press(page, recording, 'Enter')
  const hours = page.getByRole('spinbutton', { name: 'Hours' })
  await tabTo(page, recording, hours)
  await press(page, recording, 'ControlOrMeta+a')
  await type(page, recording, '5')
  await tabTo(page, recording, page.getByRole('button', { name: 'Extend by 5 hours' }))
  await press(page, recording, 'Enter')
  await expect(page.getByText('Drop updated successfully').first()).toBeVisible()
  const { endTime } = (await (await page.request.get(`/api/drop/${drop.identifier}`)).json()) as { endTime: string }
  expect(Date.parse(endTime) - Date.parse(drop.endTime)).toBe(5 * 3_600_000)
})
