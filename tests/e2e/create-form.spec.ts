// The create form shows what is wrong and loses nothing that was typed.
import { expect, type Page, test } from '@playwright/test'
import { signIn, signUp, theShop } from '../support/e2e'
import { drawing, largePhoto, type Picture, plainPhoto } from '../support/photos'

test('missing fields are named at the field, in a summary and in a toast', async ({ page, context }) => {
  const seller = await signUp(theShop())
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
  await expect(title).toBeFocused()
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
  expect(await theShop().query('SELECT "id" FROM "Drop" WHERE "userId" = $1', [seller.id])).toEqual([])
})

test('takes at most five images and keeps their order', async ({ page, context }) => {
  await signIn(context, await signUp(theShop()))
  await page.goto('/create')
  const input = page.getByLabel('Add product images')
  const six = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => plainPhoto(`${name}.jpg`)))
  await input.setInputFiles(six.slice(0, 3))
  await input.setInputFiles(six.slice(3))
  await expect(page.getByText('Too many images').first()).toBeVisible()
  await expect(page.getByText('5 of 5')).toBeVisible()
  await page.getByRole('button', { name: 'Move picture 2 earlier' }).click()
  await expect(page.getByText('Moved to position 1').first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'Picture 1: b.jpg' })).toBeVisible()
  await page.getByRole('button', { name: 'Remove picture 1' }).click()
  await expect(page.getByRole('img', { name: 'Picture 1: a.jpg' })).toBeVisible()
  await expect(page.getByText('4 of 5')).toBeVisible()
})

test('the form stays as it was when the server refuses a picture, and a second try goes through', async ({
  page,
  context,
}) => {
  await signIn(context, await signUp(theShop()))
  await page.goto('/create')
  await page.getByLabel('Product Name').fill('Mug')
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Price').fill('1234.5')
  await page.getByLabel('Quantity').fill('7')
  await page.getByLabel('Shipping Note').fill('Ships on Monday')
  await page.getByText('48h').click()
  const fake = { name: 'fake.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture') }
  await page.getByLabel('Add product images').setInputFiles([drawing(), fake])
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText(/fake\.jpg isn't an image we can read/).first()).toBeVisible()
  await expect(page.locator('#images-error')).toContainText("fake.jpg isn't an image we can read")
  await expect(page).toHaveURL(/\/create$/)
  await expect(page.getByLabel('Product Name')).toHaveValue('Mug')
  await expect(page.getByLabel('Description')).toHaveValue('A mug.')
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveValue('$1,234.5')
  await expect(page.getByLabel('Quantity')).toHaveValue('7')
  await expect(page.getByLabel('Shipping Note')).toHaveValue('Ships on Monday')
  await expect(page.getByRole('radio', { name: /48h/ })).toBeChecked()
  await expect(page.getByRole('img', { name: /^Picture \d/ })).toHaveCount(2)

  await page.getByRole('button', { name: 'Remove picture 2' }).click()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  await expect(page.getByText('$1,234.50')).toBeVisible()
  await expect(page.getByText('Expires in 48 hours')).toBeVisible()
})

async function fillForm(page: Page, picture: Picture) {
  await page.getByLabel('Product Name').fill('Mug')
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Price').fill('24')
  await page.getByLabel('Add product images').setInputFiles([picture])
}

const countDrops = (sellerId: number) => theShop().query('SELECT "id" FROM "Drop" WHERE "userId" = $1', [sellerId])

test('Cancel stops an upload, is not hit by a second tap on Create Drop, and then disappears', async ({
  page,
  context,
}) => {
  const seller = await signUp(theShop(), { plan: 'pro' })
  await signIn(context, seller)
  await page.goto('/create')
  await fillForm(page, await largePhoto('photo.jpg', 2400, 1800))
  const slowly = (bytesPerSecond: number) => ({
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slowly(500_000))
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
  // Nothing is left of the stopped upload.
  const objects = 'SELECT "key" FROM "StoredObject" WHERE "ownerId" = $1 AND "claimedAt" IS NULL'
  expect(await theShop().query(objects, [seller.id])).toEqual([])
})

test('a second try after a lost answer leads to the drop that the first one created, also after a reload', async ({
  page,
  context,
}) => {
  const seller = await signUp(theShop())
  await signIn(context, seller)
  // The connection breaks when the server has answered.
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
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('button', { name: 'Try Again' })).toBeEnabled()
  await page.evaluate(() => sessionStorage.setItem('found', 'yes'))
  await page.reload()
  await expect(page.getByText('We restored your unfinished drop.')).toBeVisible()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  expect(await countDrops(seller.id)).toHaveLength(1)
})

test('the form shows an unexpected answer, for example of a proxy, and loses nothing that was typed', async ({
  page,
  context,
}) => {
  await signIn(context, await signUp(theShop()))
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
    await page.getByRole('button', { name: /^(Create Drop|Try Again)$/ }).click()
    await expect(page.getByText(said, { exact: true }).first()).toBeVisible()
    await page.unroute('**/api/drops')
  }
  await expect(page.getByLabel('Product Name')).not.toHaveValue('')
})
