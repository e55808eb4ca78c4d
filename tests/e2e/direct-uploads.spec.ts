// Tests uploads that go from the browser directly to UploadThing. The first test has its own server and a stand-in for
// UploadThing.
import { expect } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import { startApp } from '../support/start-app.mjs'
import { forget, shopAt, signIn, signUp, testedApp } from '../support/e2e'
import { plainPhoto } from '../support/photos'
import { startUploadThing } from '../support/start-upload-thing.mjs'
import { test } from '../support/test'

test('a seller publishes a drop whose files the browser sends to UploadThing and not to the application', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const remote = await startUploadThing()
  const app = await startApp({ env: { SEED_DEMO: '0', LOG_LEVEL: 'error', ...remote.env } })
  try {
    const shop = shopAt(app.url, app.databaseUrl)
    const seller = await signUp(shop, { plan: 'pro' })
    await signIn(page.context(), seller, shop)
    const bodies: number[] = []
    page.on('request', (request) => {
      if (request.url().startsWith(app.url)) bodies.push(request.postDataBuffer()?.length ?? 0)
    })
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(400_000)])
    await page.goto(`${app.url}/create`)
    await page.getByLabel('Product Name').fill('Field notes')
    await page.getByLabel('Description').fill('A booklet.')
    await page.getByLabel('Price').fill('9')
    await page.getByLabel('Add product images').setInputFiles([await plainPhoto('a.jpg')])
    await page.getByText('Digital', { exact: true }).click()
    const file = { name: 'Notes.pdf', mimeType: 'application/pdf', buffer: pdf }
    await page.getByLabel('Choose a digital file').setInputFiles([file])

    // While the storage is unavailable, publishing fails. The form keeps its values, so a second try is enough.
    remote.setAway(true)
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByText("Part of our service isn't responding").first()).toBeVisible()
    remote.setAway(false)
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()

    expect(Math.max(...bodies)).toBeLessThan(10_000)
    const [stored] = await shop.query<{ storageKey: string; bytes: string }>(
      'SELECT "storageKey", "bytes" FROM "DigitalFile"',
    )
    expect(Number(stored?.bytes)).toBe(pdf.length)
    const object = [...remote.objects.values()].find(({ name }) => name === 'Notes.pdf')
    expect(object?.acl).toBe('private')
    expect(object?.bytes.equals(pdf)).toBe(true)
    await expect.poll(() => remote.reports.map(({ status }) => status)).toEqual([200, 200])
    // The page shows a smaller, newly encoded copy of the picture from our own origin.
    const picture = page.getByRole('img', { name: 'Field notes' }).first()
    await expect(picture).toHaveJSProperty('complete', true)
    expect(
      await picture.evaluate((image: HTMLImageElement) => [
        image.naturalWidth > 0,
        new URL(image.currentSrc).pathname.slice(0, 13),
      ]),
    ).toEqual([true, '/media/drops/'])
  } finally {
    await forget(app.databaseUrl)
    await app.stop()
    await remote.stop()
  }
})

test('without UploadThing, the policy allows requests to our own origin only', async ({ page }) => {
  const response = await page.goto(`${testedApp().url}/login`)
  expect(response?.headers()['content-security-policy']).toContain("connect-src 'self';")
})
