// Records a purchase and the publishing of a drop, as someone with a screen reader would do them. Each element is found
// by its role and its accessible name, the accessibility tree of each screen is recorded, and live regions announce
// what happens.
import { expect } from '@playwright/test'
import { cardPageAnswers } from '../support/card-page'
import { CARD, createSellerAndDrop, signUp, testedApp, uniqueName } from '../support/e2e'
import { drawing } from '../support/photos'
import { test } from '../support/recorded-run'
import { expectHydrated, openHydrated } from '../support/screen-checks'

test.setTimeout(180_000)

test('a buyer can buy a drop and request a refund using only roles and accessible names', async ({
  page,
  recording,
}) => {
  const { drop, path } = await createSellerAndDrop({ price: '24.00', quantity: '3' })
  await openHydrated(page, path)
  await recording.screen('Drop page')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - region "Photos":
        - group "1 of 1"
      - heading "${drop.title}" [level=1]
      - paragraph: $24.00 USD Shipping included
      - timer "Time left"
      - combobox "Quantity"
      - button "Buy – $24.00"
      - navigation "Orders, help and legal"
  `)
  await page.getByRole('button', { name: 'Buy – $24.00' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Pay $24.00' })).toBeVisible()
  expect(recording.announced).toContainEqual(expect.stringMatching(/Reserving/))
  await recording.screen('Payment page')
  const payment = page.getByRole('main')
  await expect(payment).toMatchAriaSnapshot(`
    - main:
      - heading "Pay $24.00" [level=1]
      - region "Your order":
        - list
      - group "Contact":
        - textbox "Email"
      - group "Shipping":
        - textbox "Full name"
        - combobox "Country"
      - group "Card":
        - textbox "Card number"
      - paragraph: /Your order is reserved for at least \\d+ minutes/
      - button "Pay $24.00"
      - paragraph:
        - link "Cancel and go back"
  `)
  await page.getByRole('button', { name: 'Pay $24.00' }).click()
  await expect(page.getByRole('alert')).toContainText('Please fix 7 fields')
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription('Enter your email address.')
  await recording.screen('Payment page with seven problems')
  const email = `${uniqueName('bea')}@example.com`
  const pay = async (cardNumber: string) => {
    for (const [name, value] of Object.entries(cardPageAnswers(email, cardNumber))) {
      await page.getByRole('textbox', { name, exact: true }).fill(value)
    }
    await page.getByRole('button', { name: 'Pay $24.00' }).click()
  }
  await pay(CARD.isDeclined)
  await expect(page.getByRole('alert')).toContainText('declined')
  await recording.screen('Payment page after a declined card')
  await pay(CARD.pays)

  await expect(page.getByRole('heading', { level: 1, name: 'Payment Successful!' })).toBeVisible()
  await expectHydrated(page)
  await recording.screen('Success page')
  await page.getByRole('link', { name: 'View your order' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Thanks for your order' })).toBeVisible()
  await expectHydrated(page)
  await recording.screen('Order page')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "Thanks for your order" [level=1]
      - heading "Order updates" [level=2]
      - heading "Shipping to" [level=2]
      - region "Help with this order":
        - group: Contact the seller
        - group: Request a refund
      - textbox "Your email"
      - button "Email me"
  `)
  const help = page.getByRole('region', { name: 'Help with this order' })
  await help.getByRole('group').filter({ hasText: 'Request a refund' }).click()
  await help.getByRole('textbox', { name: 'Your message' }).fill('It does not fit.')
  await help.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Request sent.' })).toBeFocused()
  await recording.screen('Order page after the request')
})

test('a seller can sign in and publish a drop using only roles and accessible names', async ({ page, recording }) => {
  const seller = await signUp(testedApp())
  await openHydrated(page, '/login?redirect=/create')
  await recording.screen('Sign-in page')
  await page.getByRole('textbox', { name: 'Username' }).fill(seller.username)
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong password')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveAccessibleDescription(
    'Invalid email/username or password',
  )
  expect(recording.announced.join()).toContain('alert: Invalid email/username or password')
  await recording.screen('Sign-in page after a refusal')
  await page.getByRole('textbox', { name: 'Password' }).fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'New drop' })).toBeVisible()
  await expectHydrated(page)
  await recording.screen('Create form')
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "New drop" [level=1]
      - group "Product Images":
        - button "Add photos"
      - textbox "Product Name"
      - textbox "Description"
      - group "Product Type":
        - radio "Physical" [checked]
        - radio "Digital" [disabled]
        - radio "Service" [disabled]
      - textbox "Price"
      - textbox "Quantity"
      - group "Duration":
        - radio /^24h/ [checked]
      - button "Create Drop"
  `)
  await expect(page.getByRole('radio', { name: 'Digital' })).toHaveAccessibleDescription(/Upgrade to unlock/)
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('alert').first()).toContainText('Please complete required fields')
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveAccessibleDescription(/^Price is missing\./)
  await recording.screen('Create form with something missing')

  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Add photos' }).click()
  await (await chooser).setFiles(drawing())
  await expect.poll(() => recording.announced.join()).toContain('Uploaded and ready.')
  await page.getByRole('textbox', { name: 'Product Name' }).fill(uniqueName('Mug'))
  await page.getByRole('textbox', { name: 'Description' }).fill('Thrown by hand, glazed twice.')
  await page.getByRole('textbox', { name: 'Price' }).fill('24')
  await page.getByRole('radio', { name: /^48h/ }).check({ force: true })
  await recording.screen('Create form, filled in')
  await page.getByRole('button', { name: 'Create Drop' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Drop Created!' })).toBeVisible()
  // While the message about the missing fields fades out, its contrast is too low.
  await expect(page.getByText('Please complete required fields')).toHaveCount(0)
  await recording.screen('Success page of the seller')
  await page.getByText('QR code for print').click()
  await expect(page.getByRole('img', { name: "QR code of the drop's link" })).toBeVisible()
  await page.getByRole('link', { name: 'Preview Drop' }).click()
  await expect(page.getByRole('link', { name: 'Manage drop' })).toBeVisible()
  await recording.screen("The seller's own drop page")
})
