// Tests the photos of the create form: they are sent while the seller types, survive failures, and can be cropped. Also
// tests that a returning seller needs few taps.
import { expect, type Page } from '@playwright/test'
import { createDrop, signIn, signUp, testedApp } from '../support/e2e'
import { largePhoto, plainPhoto } from '../support/photos'
import { expectGoodScreen, expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

async function openForm(page: Page) {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(page.context(), seller)
  await page.goto('/create')
  await expectHydrated(page)
  return { shop, seller }
}

const addPhoto = async (page: Page, name = 'a.jpg') =>
  page.getByLabel('Add product images').setInputFiles([await plainPhoto(name)])

async function fillTexts(page: Page) {
  await page.getByLabel('Product Name').fill('Mug')
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Price').fill('24')
}

/** Returns a list that collects the path and the body size of each POST request of the page. */
function postsOf(page: Page) {
  const posts: { path: string; bytes: number }[] = []
  page.on('request', (request) => {
    if (request.method() !== 'POST') return
    posts.push({ path: new URL(request.url()).pathname, bytes: request.postDataBuffer()?.length ?? 0 })
  })
  return posts
}

const create = (page: Page) => page.getByRole('button', { name: /^(Create Drop|Try again)$/ })

test('photos are sent while the seller types, are not sent again after a reload, and are not sent with the form', async ({
  page,
}) => {
  await openForm(page)
  const posts = postsOf(page)
  const sent = () => posts.filter(({ path }) => path === '/api/uploads/photo')
  // A phone's photo is sent in the size in which it is stored.
  const large = await largePhoto('large.jpg', 3000, 2000)
  await page.getByLabel('Add product images').setInputFiles([large, await plainPhoto('b.jpg')])
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
  expect(sent()).toHaveLength(2)
  expect(sent()[0]?.bytes).toBeLessThan(large.buffer.length / 2)
  await fillTexts(page)
  await page.reload()
  await expect(page.getByText('We restored your unfinished drop.')).toBeVisible()
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
  expect(sent()).toHaveLength(2)
  await expectGoodScreen(page, 'create form with photos')
  await create(page).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  const [form] = posts.filter(({ path }) => path === '/api/drops')
  expect(form?.bytes).toBeLessThan(5_000)
  await expect(page.getByRole('img', { name: 'Mug' }).first()).toBeVisible()
})

test('a photo that could not be sent can be sent again, and otherwise goes with the form', async ({ page }) => {
  const { shop, seller } = await openForm(page)
  await page.route('**/api/uploads/photo', (route) => route.abort())
  await addPhoto(page)
  await expect(page.getByText("One photo isn't uploaded yet.")).toBeVisible()
  await page.unroute('**/api/uploads/photo')
  await page.getByRole('button', { name: 'Upload again' }).click()
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
  await page.route('**/api/uploads/photo', (route) => route.abort())
  await addPhoto(page, 'b.jpg')
  await expect(page.getByText("One photo isn't uploaded yet.")).toBeVisible()
  await fillTexts(page)
  await create(page).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  const images = `SELECT i."id" FROM "DropImage" i JOIN "Drop" d ON d."id" = i."dropId" WHERE d."userId" = $1`
  expect(await shop.query(images, [seller.id])).toHaveLength(2)
})

test('a photo that the server no longer has is sent with the form', async ({ page }) => {
  const { shop, seller } = await openForm(page)
  await addPhoto(page)
  await fillTexts(page)
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
  await shop.query(`DELETE FROM "StoredObject" WHERE "ownerId" = $1`, [seller.id])
  await create(page).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
})

test('when the session ends, the form says so and keeps everything until the seller is back', async ({ page }) => {
  const { seller } = await openForm(page)
  await addPhoto(page)
  await fillTexts(page)
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
  await page.context().clearCookies()
  await create(page).click()
  await expect(
    page.getByText("You're signed out. This browser keeps your form, except for keys and a digital file."),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Username').fill(seller.username)
  await page.getByLabel('Password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('We restored your unfinished drop.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Photo 1: a.jpg' })).toBeVisible()
  await create(page).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
})

test('a photo can be cropped and straightened by keyboard, and Cancel keeps it as it was', async ({ page }) => {
  await openForm(page)
  await addPhoto(page)
  const photo = page.getByRole('img', { name: /^Photo 1/ })
  const size = () => photo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
  await expect.poll(size).toEqual([640, 800])
  await page.getByRole('button', { name: 'Crop photo 1' }).click()
  const dialog = page.getByRole('dialog', { name: 'Crop photo' })
  await dialog.getByRole('button', { name: 'Square' }).press('Enter')
  await dialog.getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  expect(await size()).toEqual([640, 800])

  await page.getByRole('button', { name: 'Crop photo 1' }).click()
  await expectGoodScreen(page, 'crop dialog')
  await dialog.getByRole('button', { name: 'Square' }).press('Enter')
  await dialog.getByRole('slider', { name: 'Zoom' }).focus()
  for (let times = 0; times < 20; times += 1) await page.keyboard.press('ArrowRight')
  await expect(dialog.getByRole('slider', { name: 'Zoom' })).toHaveValue('2')
  await dialog.getByRole('application').focus()
  await page.keyboard.press('ArrowLeft')
  await dialog.getByRole('button', { name: 'Use photo' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect.poll(size).toEqual([320, 320])
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
})

test('a decimal comma in a price is understood, whether it is typed or pasted', async ({ page }) => {
  await openForm(page)
  const price = page.getByRole('textbox', { name: 'Price' })
  // After each keystroke, react-number-format places the cursor once more in a timer without a delay. A busy machine
  // can run it after the next key, which would undo the selection of the whole price.
  const cursorIsPlaced = () => page.evaluate(() => new Promise<void>((resolve) => setTimeout(resolve)))
  await expect(price).toHaveAttribute('inputmode', 'decimal')
  for (const [typed, shown] of [
    ['12,50', '$12.50'],
    ['1,234', '$1,234'],
    ['1,234.50', '$1,234.50'],
    ['1.234,50', '$1,234.50'],
    ['19.999', '$19.99'],
  ] as const) {
    await cursorIsPlaced()
    await price.press('ControlOrMeta+a')
    await price.press('Delete')
    await expect(price).toHaveValue('')
    await price.pressSequentially(typed)
    await expect(price).toHaveValue(shown)
  }
  for (const [whole, shown] of [
    ['€12,50', '$12.50'],
    ['1 234,50', '$1,234.50'],
    ['12,50', '$12.50'],
    ['1.234,50', '$1,234.50'],
    ['1,234.50', '$1,234.50'],
    ['1,234', '$1,234'],
  ] as const) {
    // fill() selects the whole price before it types, which the timer would undo, too.
    await cursorIsPlaced()
    await price.fill(whole)
    await expect(price).toHaveValue(shown)
  }
  // Deleting a digit of a formatted price must not turn its comma into a decimal one.
  await cursorIsPlaced()
  await price.press('End')
  await price.press('Backspace')
  await expect(price).toHaveValue('$123')
})

test('a returning seller goes from the camera to a live link with at most seven taps', async ({ page }) => {
  const { shop, seller } = await openForm(page)
  const last = { duration: '72', shipsFrom: 'DE', shipsWithin: '5', shippingNote: 'Packed in paper' }
  const drop = await createDrop(shop, seller, last)
  await shop.query(`UPDATE "Drop" SET "isActive" = false, "archivedAt" = now(), "endTime" = now() WHERE "id" = $1`, [
    drop.id,
  ])
  let taps = 0
  const tap = async (name: string, role: 'link' | 'button' | 'textbox') => {
    taps += 1
    await page.getByRole(role, { name }).first().tap()
  }
  await page.goto('/create')
  await expectHydrated(page)
  await expect(page.getByText('Ships from Germany within 5 days, with a note')).toBeVisible()
  const choosing = page.waitForEvent('filechooser')
  await tap('Take a photo', 'button')
  taps += 1 // The shutter.
  await (await choosing).setFiles([await plainPhoto()])
  for (const [name, text] of [
    ['Product Name', 'Bowl'],
    ['Description', 'A bowl.'],
    ['Price', '30'],
  ] as const) {
    await tap(name, 'textbox')
    await page.keyboard.type(text)
  }
  await tap('Create Drop', 'button')
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  expect(taps).toBeLessThanOrEqual(7)
  const [made] = await shop.query(
    `SELECT "duration", "shipsFrom", "shipsWithin", "shippingNote" FROM "Drop" WHERE "userId" = $1 AND "title" = 'Bowl'`,
    [seller.id],
  )
  expect(made).toEqual({ duration: 72, shipsFrom: 'DE', shipsWithin: 5, shippingNote: 'Packed in paper' })
})
