// Tests how the create form handles files on a phone: which ones it offers, previews, reordering by touch, the progress
// of an upload, and large files.
import { expect, type Locator, type Page } from '@playwright/test'
import { truncateSync, writeFileSync } from 'node:fs'
import type { Plan } from '@/lib/kernel/plan'
import { buy, goodFields, postDrop, signIn, signUp, testedApp, toForm } from '../support/e2e'
import { drawing, plainPhoto } from '../support/photos'
import { expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const MEGABYTE = 1024 * 1024

async function openForm(page: Page, plan: Plan = 'pro') {
  await signIn(page.context(), await signUp(testedApp(), { plan }))
  await page.goto('/create')
  await expectHydrated(page)
}

const pictures = (page: Page) => page.getByLabel('Add product images')

async function chooseDigital(page: Page): Promise<Locator> {
  await page.getByText('Digital', { exact: true }).click()
  const input = page.getByLabel('Choose a digital file')
  await input.waitFor({ state: 'attached' })
  return input
}

/** Resolves to how many milliseconds after the choice of files the preview with this position is shown. */
function previewTime(page: Page, position: number): Promise<number> {
  return page.evaluate((place) => {
    return new Promise<number>((resolve) => {
      let chosenAt = NaN
      document.addEventListener('change', () => (chosenAt = performance.now()), { capture: true, once: true })
      const look = () => {
        const shown = [...document.images].find(({ alt }) => alt.startsWith(`Photo ${place}: `))
        if (shown?.complete && shown.naturalWidth > 0) resolve(performance.now() - chosenAt)
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
  }, position)
}

test('the pickers offer only files that can be used, and previews are shown before anything is sent', async ({
  page,
}) => {
  await openForm(page)
  await expect(pictures(page)).toHaveAttribute('accept', /image\/jpeg.*image\/png.*image\/webp/)
  await expect(pictures(page)).toHaveAttribute('multiple')
  // No photo gets an answer, so the previews come from the phone itself.
  await page.route('**/api/uploads/photo', () => undefined)
  const times: number[] = []
  for (const position of [1, 2, 3]) {
    const time = previewTime(page, position)
    await pictures(page).setInputFiles([await plainPhoto(`${position}.jpg`)])
    times.push(await time)
  }
  // A busy machine may be slow once.
  expect(Math.min(...times), times.join()).toBeLessThanOrEqual(1_000)
  const file = await chooseDigital(page)
  const accepted = (await file.getAttribute('accept'))!.split(',')
  expect(accepted.sort()).toEqual(['.pdf', '.zip', '.doc', '.docx', '.jpg', '.jpeg', '.png', '.mp4', '.mp3'].sort())
})

test('a photo is moved by touch, and the new place is announced', async ({ page }) => {
  await openForm(page)
  await pictures(page).setInputFiles([await plainPhoto('a.jpg'), await plainPhoto('b.jpg'), await plainPhoto('c.jpg')])
  const handle = (position: number) => page.getByRole('button', { name: `Photo ${position} of 3, reorder` })
  await handle(3).scrollIntoViewIfNeeded()
  const center = async (position: number) => {
    const { x, y, width, height } = (await handle(position).boundingBox())!
    return { x: Math.round(x + width / 2), y: Math.round(y + height / 2) }
  }
  const [from, to] = [await center(1), await center(3)]
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  const heard = page.locator('[id^="DndLiveRegion"]')
  await touch('touchStart', from)
  // A picture is picked up by a short press.
  await expect(heard).toHaveText(/photo 1/i)
  for (let step = 1; step <= 8; step += 1) {
    await touch('touchMove', { x: Math.round(from.x + ((to.x - from.x) * step) / 8), y: from.y })
  }
  await expect(heard).toHaveText('Photo 1 is now in position 3 of 3.')
  await touch('touchEnd')
  await expect(page.getByText('Moved to position 3').first()).toBeVisible()
  await expect(heard).toHaveText('Photo 1 was moved to position 3 of 3.')
  await expect(page.getByRole('img', { name: 'Photo 3: a.jpg' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Photo 1: b.jpg' })).toBeVisible()
})

test('an upload shows new percent and megabytes at least every three seconds, and leaving the page asks first', async ({
  page,
}) => {
  await openForm(page)
  await page.getByLabel('Product Name').fill('Film')
  await page.getByLabel('Description').fill('A short film.')
  await page.getByLabel('Price').fill('5')
  await pictures(page).setInputFiles([await plainPhoto()])
  await expect(page.getByText('Uploaded and ready.')).toBeVisible()
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2 * MEGABYTE, 'page ')])
  const input = await chooseDigital(page)
  await input.setInputFiles([{ name: 'film.pdf', mimeType: 'application/pdf', buffer: pdf }])
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: MEGABYTE / 3,
  })
  const seen = page.evaluate(() => {
    return new Promise<{ at: number; text: string }[]>((resolve) => {
      const steps: { at: number; text: string }[] = []
      const observer = new MutationObserver(() => {
        const text = document.querySelector('[data-bottom-bar]')?.textContent ?? ''
        const [shown] = /Uploading \d+%[\d.]+ of [\d.]+ MB/.exec(text) ?? []
        if (shown && shown !== steps.at(-1)?.text) steps.push({ at: performance.now(), text: shown })
        if (text.includes('Preparing')) {
          observer.disconnect()
          resolve(steps)
        }
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    })
  })
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByText(/^Uploading [1-9]\d?%/).first()).toBeVisible()
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()
  const steps = await seen
  const gaps = steps.slice(1).map(({ at }, position) => at - steps[position]!.at)
  expect(steps.length).toBeGreaterThan(5)
  expect(steps[1]!.text).toMatch(/^Uploading \d+%\d\.\d of 2\.0 MB$/)
  expect(Math.max(...gaps), gaps.map(Math.round).join()).toBeLessThanOrEqual(3_000)
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
})

test('a file above 100 MB is announced before the upload, and one above 500 MB is refused before it is sent', async ({
  page,
}, info) => {
  await openForm(page)
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(new URL(request.url()).pathname))
  const fileOf = (megabytes: number) => {
    const file = info.outputPath(`film-${megabytes}.mp4`)
    writeFileSync(file, '')
    truncateSync(file, megabytes * MEGABYTE)
    return file
  }
  const input = await chooseDigital(page)
  await input.setInputFiles(fileOf(101))
  await expect(page.getByText('Large File Detected').first()).toBeVisible()
  await expect(page.getByText(/may take several minutes/).first()).toBeVisible()
  await expect(page.getByText('film-101.mp4')).toBeVisible()
  await page.getByRole('button', { name: /^Remove/ }).click()
  await input.setInputFiles(fileOf(501))
  await expect(page.getByText('This file is larger than 500MB.').first()).toBeVisible()
  await expect(page.getByText('film-501.mp4')).toHaveCount(0)
  expect(posts.filter((path) => path.startsWith('/api/drops') || path.startsWith('/api/uploads'))).toEqual([])
})

test('the seller replaces the uploaded file of a digital drop until the first sale', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop, { plan: 'pro' })
  const form = toForm(goodFields({ productType: 'digital' }), [drawing()])
  form.set('digitalFile', new Blob(['%PDF-1.7\nWith a mistake\n%%EOF\n']), 'zine.pdf')
  const { id } = (await (await postDrop(shop, seller, form)).json()) as { id: number }
  await signIn(page.context(), seller)
  await page.goto('/')
  await expectHydrated(page)
  const dialog = page.getByRole('dialog', { name: 'Edit drop' })
  const edit = () => page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
  await edit()
  await expect(dialog.getByText('Buyers get zine.pdf. You can replace it until the first sale.')).toBeVisible()
  const mended = { name: 'zine-2.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nMended\n%%EOF\n') }
  await dialog.getByLabel('Choose a digital file').setInputFiles(mended)
  await dialog.getByLabel('Link for buyers').fill('https://files.example/zine')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Add a link or a file, not both.')).toBeVisible()
  await dialog.getByLabel('Link for buyers').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const files = await shop.query('SELECT "fileName", "source" FROM "DigitalFile" WHERE "dropId" = $1', [id])
  expect(files).toEqual([{ fileName: 'zine-2.pdf', source: 'upload' }])
  await buy(shop, id)
  await page.reload()
  await expectHydrated(page)
  await edit()
  await expect(dialog.getByLabel('Description')).toBeVisible()
  await expect(dialog.getByLabel('Choose a digital file')).toHaveCount(0)
})
