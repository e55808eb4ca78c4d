// Checks that the create form shows what is wrong and keeps everything that the seller typed.
import { expect, type Page } from '@playwright/test'
import { openFold } from '../support/fill-create-form'
import { signIn, signUp, testedApp } from '../support/e2e'
import { drawing, largePhoto, type Picture, plainPhoto } from '../support/photos'
import { expectGoodScreen, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test('a missing field is reported at the field, in a summary and in a toast', async ({ page, context }) => {
  const seller = await signUp(testedApp())
  await signIn(context, seller)
  await page.goto('/create')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText('Missing: Product Name, Description, Price, Product Images').first()).toBeVisible()
  const summary = page.getByRole('alert').filter({ hasText: 'Please complete required fields' })
  await expect(summary.getByRole('link')).toHaveText([
    'Product Name is missing.',
    'Description is missing.',
    'Price is missing.',
    'Product Images are missing.',
  ])
  const title = page.getByRole('textbox', { name: 'Product Name' })
  await expect(page.getByRole('button', { name: 'Add photos' })).toBeFocused()
  await expect(title).toHaveAttribute('aria-invalid', 'true')
  await expect(title).toHaveAccessibleDescription('Product Name is missing.')

  await title.fill('Mug')
  await expect(summary.getByRole('link')).toHaveCount(3)
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Add product images').setInputFiles([drawing()])
  await page.getByLabel('Price').fill('0.49')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('textbox', { name: 'Price' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveAccessibleDescription(/lowest price is \$0\.50/)
  await expect(page.getByText('Invalid Price').first()).toBeVisible()
  await page.getByLabel('Price').fill('5')
  await page.getByLabel('Quantity').fill('0')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByLabel('Quantity')).toHaveAccessibleDescription(/whole number/)
  expect(await testedApp().query('SELECT "id" FROM "Drop" WHERE "userId" = $1', [seller.id])).toEqual([])
})

test('the parts of the form follow each other in the order in which sellers fill them in, with Create Drop within reach of a thumb', async ({
  page,
  context,
}) => {
  await signIn(context, await signUp(testedApp(), { plan: 'pro' }))
  await openHydrated(page, '/create')
  // docs/product.md#create-form
  const parts = [
    page.getByRole('button', { name: 'Add photos' }),
    page.getByLabel('Product Name'),
    page.getByLabel('Custom Link'),
    page.getByLabel('Description'),
    page.getByText('Physical', { exact: true }),
    page.getByRole('textbox', { name: 'Price' }),
    page.getByText('No shipping promise'),
    page.getByText('Starts now'),
    page.getByText('48h'),
  ]
  const boxes = await Promise.all(parts.map(async (part) => (await part.first().boundingBox())!))
  const tops = boxes.map(({ y }) => Math.round(y))
  expect(tops).toEqual(tops.toSorted((one, other) => one - other))
  const quantity = (await page.getByLabel('Quantity').boundingBox())!
  expect(Math.round(quantity.y)).toBe(tops[5])
  const create = (await page.getByRole('button', { name: 'Create Drop' }).boundingBox())!
  expect(create.y).toBeGreaterThan((844 * 2) / 3)
  expect(create.y + create.height).toBeLessThanOrEqual(844)
})

test('the form accepts at most five images and keeps their order', async ({ page, context }) => {
  await signIn(context, await signUp(testedApp()))
  await page.goto('/create')
  const input = page.getByLabel('Add product images')
  const six = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => plainPhoto(`${name}.jpg`)))
  await input.setInputFiles(six.slice(0, 3))
  await input.setInputFiles(six.slice(3))
  await expect(page.getByText('Too many images').first()).toBeVisible()
  await expect(page.getByText('There was space for 2 more images, so we left out the rest.').first()).toBeVisible()
  await expect(page.getByText('5 of 5')).toBeVisible()
  await page.getByRole('button', { name: 'Add more' }).click()
  await expect(page.getByText('Maximum Reached').first()).toBeVisible()
  await page.getByRole('button', { name: 'Move photo 2 earlier' }).click()
  await expect(page.getByText('Moved to position 1').first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'Photo 1: b.jpg' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove photo 1' }).click()
  await expect(page.getByRole('img', { name: 'Photo 1: a.jpg' })).toBeVisible()
  await expect(page.getByText('4 of 5')).toBeVisible()
})

test('a locked product type leads to the upgrade', async ({ page, context }) => {
  await signIn(context, await signUp(testedApp()))
  await openHydrated(page, '/create')
  // Playwright would wait until the disabled radio button of the label is enabled.
  await page.getByText('Digital', { exact: true }).click({ force: true })
  await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
})

test('a seller at the limit of active drops sees the form collapsed below a notice', async ({
  page,
  context,
  seller,
}) => {
  await signIn(context, seller)
  await openHydrated(page, '/create')
  await expect(page.getByRole('link', { name: 'Upgrade to Pro', exact: true })).toBeVisible()
  await expect(page.getByLabel('Product Name')).toBeHidden()
  await page.getByText('Prepare your next drop').click()
  await page.getByLabel('Product Name').fill('Next mug')
  await expectGoodScreen(page, 'create-at-limit')
})

test('the form keeps its values when the server refuses a picture, and a second try succeeds', async ({
  page,
  context,
}) => {
  await signIn(context, await signUp(testedApp()))
  await page.goto('/create')
  await page.getByLabel('Product Name').fill('Mug')
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Price').fill('1234.5')
  await page.getByLabel('Quantity').fill('7')
  await openFold(page, 'No shipping promise')
  await page.getByLabel('Shipping Note').fill('Ships on Monday')
  await page.getByText('48h').click()
  const fake = { name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') }
  await page.getByLabel('Add product images').setInputFiles([drawing(), fake])
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText(/fake\.jpg isn't a photo we can read/).first()).toBeVisible()
  await expect(page.locator('#images-error')).toContainText("fake.jpg isn't a photo we can read")
  await expect(page).toHaveURL(/\/create$/)
  await expect(page.getByLabel('Product Name')).toHaveValue('Mug')
  await expect(page.getByLabel('Description')).toHaveValue('A mug.')
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveValue('$1,234.5')
  await expect(page.getByLabel('Quantity')).toHaveValue('7')
  await expect(page.getByLabel('Shipping Note')).toHaveValue('Ships on Monday')
  await expect(page.getByRole('radio', { name: /48h/ })).toBeChecked()
  await expect(page.getByRole('img', { name: /^Photo \d/ })).toHaveCount(2)

  await page.getByRole('button', { name: 'Remove photo 2' }).click()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  await expect(page.getByText('$1,234.50', { exact: true })).toBeVisible()
  await expect(page.getByText('Expires in 48 hours')).toBeVisible()
})

async function fillForm(page: Page, picture: Picture) {
  await page.getByLabel('Product Name').fill('Mug')
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Price').fill('24')
  await page.getByLabel('Add product images').setInputFiles([picture])
}

const countDrops = (sellerId: number) => testedApp().query('SELECT "id" FROM "Drop" WHERE "userId" = $1', [sellerId])

test('Cancel stops an upload, a double tap on Create Drop does not hit Cancel, and Cancel is gone after the upload', async ({
  page,
  context,
}) => {
  const seller = await signUp(testedApp(), { plan: 'pro' })
  await signIn(context, seller)
  await page.goto('/create')
  const slowly = (bytesPerSecond: number) => ({
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slowly(200_000))
  await fillForm(page, await largePhoto('photo.jpg', 2400, 1800))
  const create = page.locator('[type="submit"]')
  const before = (await create.boundingBox())!
  await create.dblclick()
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await expect(page.getByText(/^Uploading [1-9]\d?%/).first()).toBeVisible()
  await expect(create).toBeDisabled()
  expect(await create.boundingBox()).toEqual(before)
  const box = (await cancel.boundingBox())!
  expect(box.y + box.height).toBeLessThanOrEqual(before.y)
  await cancel.click()
  await expect(create).toHaveText('Create Drop')
  await expect(create).toBeEnabled()
  expect(await countDrops(seller.id)).toEqual([])

  await network.send('Network.emulateNetworkConditions', slowly(-1))
  await create.click()
  const preparing = await page.waitForFunction(
    () =>
      document.body.innerText.includes('Preparing your drop…') && {
        buttons: [...document.querySelectorAll('form [data-bottom-bar] button')].map((button) => button.textContent),
      },
  )
  expect(await preparing.jsonValue()).toEqual({ buttons: ['Creating…'] })
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  expect(await countDrops(seller.id)).toHaveLength(1)
  // Only the photo that was sent before the form is left, until the sweep removes it.
  const objects = `SELECT "key" FROM "StoredObject"
    WHERE "ownerId" = $1 AND "claimedAt" IS NULL AND "key" NOT LIKE 'incoming/%'`
  expect(await testedApp().query(objects, [seller.id])).toEqual([])
})

test('a new try after a lost response shows the drop that the first try created, even after a reload', async ({
  page,
  context,
}) => {
  const seller = await signUp(testedApp())
  await signIn(context, seller)
  // The connection breaks after the server has answered, until the flag "found" is set.
  await page.addInitScript(() => {
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      if (!sessionStorage.getItem('found')) this.onload = this.onerror
      send.call(this, body)
    }
  })
  await page.goto('/create')
  await fillForm(page, await plainPhoto())
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText('Network error occurred').first()).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
  await page.evaluate(() => sessionStorage.setItem('found', 'yes'))
  await page.reload()
  await expect(page.getByText('We restored your unfinished drop.')).toBeVisible()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  expect(await countDrops(seller.id)).toHaveLength(1)
})

test('the form shows an unexpected response, such as that of a proxy, and keeps what was typed', async ({
  page,
  context,
}) => {
  await signIn(context, await signUp(testedApp()))
  await page.goto('/create')
  await fillForm(page, await plainPhoto())
  const answers: [status: number, body: string, said: string][] = [
    [502, 'Bad Gateway', 'HTTP 502: Bad Gateway'],
    [502, '<html><h1>Bad Gateway</h1></html>', 'HTTP 502'],
    [500, '{}', 'Failed to create drop'],
    [409, '{"message":"Not like this."}', 'Not like this.'],
    [201, 'created', 'Invalid response format'],
  ]
  for (const [status, body, said] of answers) {
    await page.route('**/api/drops', (route) => route.fulfill({ status, body }))
    await page.getByRole('button', { name: /^(Create Drop|Try again)$/ }).click()
    await expect(page.getByText(said, { exact: true }).first()).toBeVisible()
    await page.unroute('**/api/drops')
  }
  await expect(page.getByLabel('Product Name')).not.toHaveValue('')
})
