// Tests the pictures, files and draft of the create form with touch, mouse and keyboard.
import { expect, type Page } from '@playwright/test'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Plan } from '@/lib/kernel/plan'
import { createDrop, signIn, signUp, testedApp } from '../support/e2e'
import { drawing, plainPhoto } from '../support/photos'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

async function openForm(page: Page, plan: Plan = 'free') {
  const shop = testedApp()
  const seller = await signUp(shop, { plan })
  await signIn(page.context(), seller)
  await page.goto('/create')
  return { shop, seller }
}

async function addPictures(page: Page, ...names: string[]) {
  const colors = ['#c93a05', '#1b7f4b', '#3a6f6b']
  const pictures = await Promise.all(names.map((name, at) => plainPhoto(`${name}.jpg`, colors[at])))
  await page.getByLabel('Add product images').setInputFiles(pictures)
  await expect(page.getByRole('img', { name: /^Photo \d/ })).toHaveCount(names.length)
}

const order = (page: Page) =>
  page
    .getByRole('img', { name: /^Photo \d/ })
    .evaluateAll((images) => images.map((image) => image.getAttribute('alt')?.replace(/^.*: (.)\.jpg$/, '$1')).join(''))

async function fillTexts(page: Page) {
  await page.getByLabel('Product Name').fill('Mug')
  await page.getByLabel('Description').fill('A mug.')
  await page.getByLabel('Price').fill('24')
}

test('pictures can be reordered by dragging, by keyboard and by buttons', async ({ page }) => {
  await openForm(page)
  await addPictures(page, 'a', 'b', 'c')
  const handle = (position: number) => page.getByRole('button', { name: `Photo ${position} of 3, reorder` })

  await handle(3).scrollIntoViewIfNeeded()
  const [from, to] = [await handle(1).boundingBox(), await handle(3).boundingBox()]
  if (!from || !to) throw new Error('the pictures are not on the page')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 12 })
  await page.mouse.up()
  await expect.poll(() => order(page)).toBe('bca')
  await expect(page.getByText('Image Reordered').first()).toBeVisible()
  await expect(page.getByText('Moved to position 3').first()).toBeVisible()

  // A picture that is picked up while others still slide into place is measured at a wrong place, and does not move.
  await expect
    .poll(() => handle(3).evaluate((button) => button.closest('ul, ol')?.getAnimations({ subtree: true }).length))
    .toBe(0)
  await handle(3).focus()
  await page.keyboard.press('Space')
  // Screen readers announce positions and not ids.
  const heard = page.locator('[id^="DndLiveRegion"]')
  // This waits until the picture is picked up, because a key that is pressed earlier has no effect. The drag library
  // announces this first and listens for keys in a timer that it has already set, so a later timer runs after it.
  await expect(heard).toHaveText('Photo 3 is now in position 3 of 3.')
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)))
  await page.keyboard.press('ArrowLeft')
  await expect(heard).toHaveText('Photo 3 is now in position 2 of 3.')
  await page.keyboard.press('Space')
  await expect(heard).toHaveText('Photo 3 was moved to position 2 of 3.')
  await expect.poll(() => order(page)).toBe('bac')

  await page.getByRole('button', { name: 'Move photo 2 earlier' }).click()
  await expect.poll(() => order(page)).toBe('abc')
  await expect(page.locator('li', { has: handle(1) })).toContainText('Main')
})

test('a double tap removes a picture and a single tap does not, and pictures can be pasted and dropped', async ({
  page,
}) => {
  await openForm(page)
  await addPictures(page, 'a', 'b')
  await page.getByRole('button', { name: 'Photo 1 of 2, reorder' }).tap()
  await page.getByRole('button', { name: 'Photo 2 of 2, reorder' }).tap()
  expect(await order(page)).toBe('ab')
  await page.getByRole('button', { name: 'Photo 1 of 2, reorder' }).dblclick()
  await expect.poll(() => order(page)).toBe('b')

  const bytes = [...(await plainPhoto()).buffer]
  await page.evaluate((data) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(data)], 'p.jpg', { type: 'image/jpeg' }))
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true }))
  }, bytes)
  await expect.poll(() => order(page)).toBe('bp')
  await page.getByRole('group', { name: 'Product Images' }).evaluate((group, data) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([new Uint8Array(data)], 'd.jpg', { type: 'image/jpeg' }))
    group.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }))
  }, bytes)
  await expect.poll(() => order(page)).toBe('bpd')

  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }
  await page.getByLabel('Add product images').setInputFiles([text])
  await expect(page.getByText('No Images Selected').first()).toBeVisible()
})

test('the draft survives a reload and a broken connection, and publishing removes it', async ({ page }) => {
  await openForm(page)
  await fillTexts(page)
  await page.getByText('48h').click()
  await addPictures(page, 'a', 'b')
  await page.reload()
  await expect(page.getByText('We restored your unfinished drop.')).toBeVisible()
  await expect(page.getByLabel('Product Name')).toHaveValue('Mug')
  await expect(page.getByRole('textbox', { name: 'Price' })).toHaveValue('$24')
  await expect(page.getByRole('radio', { name: /48h/ })).toBeChecked()
  await expect.poll(() => order(page)).toBe('ab')

  await page.route('**/api/drops', (route) => route.abort())
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText('Network error occurred').first()).toBeVisible()
  await expect(page.getByLabel('Product Name')).toHaveValue('Mug')
  await page.unroute('**/api/drops')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  await expect(page.getByText('Expires in 48 hours')).toBeVisible()

  await openHydrated(page, '/create')
  await page.getByText('Prepare your next drop').click()
  await expect(page.getByText('0 of 5')).toBeVisible()
  await expect(page.getByLabel('Product Name')).toHaveValue('')
})

test('a seller does not see the draft of another seller', async ({ page }) => {
  const { shop } = await openForm(page)
  await fillTexts(page)
  await signIn(page.context(), await signUp(shop))
  await page.goto('/create')
  await page.getByLabel('Product Name').click()
  await expect(page.getByLabel('Product Name')).toHaveValue('')
  await expect(page.getByText('We restored your unfinished drop.')).toHaveCount(0)
})

test('a digital file is stored unchanged, and its drop is published', async ({ page }) => {
  const { shop, seller } = await openForm(page, 'pro')
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(300_000, 'page ')])
  await fillTexts(page)
  await addPictures(page, 'a')
  await page.getByText('Digital', { exact: true }).click()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText('Missing: Digital File').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Choose a file' })).toBeFocused()
  const input = page.getByLabel('Choose a digital file')
  await input.setInputFiles([{ name: 'setup.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') }])
  await expect(page.getByText(/isn't a PDF, ZIP, DOC/).first()).toBeVisible()
  await input.setInputFiles([{ name: 'Field notes.pdf', mimeType: 'application/pdf', buffer: pdf }])
  await expect(page.getByText('Field notes.pdf')).toBeVisible()
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  expect(
    await shop.query(
      `SELECT f."fileName", f."sha256", f."source" FROM "DigitalFile" f JOIN "Drop" d ON d."id" = f."dropId"
        WHERE d."userId" = $1`,
      [seller.id],
    ),
  ).toEqual([{ fileName: 'Field notes.pdf', sha256: createHash('sha256').update(pdf).digest('hex'), source: 'upload' }])
})

test('the custom link field shows during typing whether the link is available', async ({ page }) => {
  const { shop } = await openForm(page, 'pro')
  const slug = `taken-${Date.now().toString(36)}`
  await createDrop(shop, await signUp(shop, { plan: 'pro' }), { customSlug: slug })
  await page.getByLabel('Custom Link').fill(slug.toUpperCase())
  await expect(page.getByText('This custom link is already taken.')).toBeVisible()
  await page.getByLabel('Custom Link').fill(`${slug}-2`)
  await expect(page.getByText('This link is available.')).toBeVisible()
  await page.getByLabel('Custom Link').fill('12345')
  await expect(page.getByText(/be digits only/)).toBeVisible()
  await page.getByLabel('Custom Link').fill('admin')
  await expect(page.getByText('This custom link is reserved. Please choose another one.')).toBeVisible()
})

test('a drop that needs a review is shown to its seller as "In review" and hidden from others', async ({
  page,
  request,
}) => {
  const { shop, seller } = await openForm(page)
  await fillTexts(page)
  await page.getByLabel('Product Name').fill('Pure c0caine')
  await addPictures(page, 'a')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText(/This looks like illegal drugs/).first()).toBeVisible()
  await expect(page.getByLabel('Product Name')).toBeFocused()
  await page.getByLabel('Product Name').fill('Hunting rifle, barely used')
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  await expect(page.getByText("We're reviewing your drop")).toBeVisible()
  const [drop] = await shop.query<{ uniqueId: string }>('SELECT "uniqueId" FROM "Drop" WHERE "userId" = $1', [
    seller.id,
  ])
  const html = await (await request.get(`/drop/${drop?.uniqueId}`)).text()
  expect(html).toContain('Not available')
  expect(html).not.toContain('rifle')
  const body = await (await request.get(`/api/drop/${drop?.uniqueId}`)).text()
  expect(body).not.toContain('rifle')
  expect((await request.get(`/drop/${drop?.uniqueId}/story-image`)).status()).toBe(404)
  await page.goto('/')
  await expect(page.getByText('In review', { exact: true })).toBeVisible()
})

test('a story image has 1080 × 1920 pixels and is public', async ({ page, request }) => {
  const { shop, seller } = await openForm(page)
  const drop = await createDrop(shop, seller, { title: 'Mug 🔥 with a long name that needs a second line' }, [
    drawing(),
  ])
  const answer = await request.get(`/drop/${drop.identifier}/story-image`)
  expect(answer.headers()['content-type']).toBe('image/jpeg')
  expect(answer.headers()['cache-control']).toContain('public')
  expect(await sharp(await answer.body()).metadata()).toMatchObject({ format: 'jpeg', width: 1080, height: 1920 })
  await page.goto(`/success?drop=${drop.identifier}`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Share story' }).click()
  expect((await downloading).suggestedFilename()).toBe(`${drop.identifier}-story.jpg`)
  await page.getByRole('link', { name: 'Preview Drop' }).click()
  await expect(page).toHaveURL(new RegExp(`/drop/${drop.identifier}$`))
  expect(await page.evaluate(() => sessionStorage.getItem('lastcall:came-from-success'))).toBe(drop.identifier)
})

test('a success page without a drop shows an error and a link to the dashboard after five seconds', async ({
  page,
}) => {
  await page.clock.install()
  await signIn(page.context(), await signUp(testedApp()))
  await page.goto('/success')
  await expect(page.getByText('Loading your drop...')).toBeVisible()
  await page.clock.runFor(5_100)
  await expect(page.getByRole('heading', { name: "We can't find that drop" })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to your dashboard' })).toBeVisible()
})
