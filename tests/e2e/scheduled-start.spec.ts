// A drop that starts later: the seller schedules, changes and cancels it, and buyers see it open.
import { expect, type Page, test } from '@playwright/test'
import { openShopWindow, type Shop, signIn, signUp, theShop } from '../support/e2e'
import { drawing } from '../support/photos'

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

/** A date and time as the form takes it, this many hours ahead, on the clocks of UTC. */
const hoursAhead = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)

/** Moves the start of a drop; the end follows. */
async function startsIn(shop: Shop, dropId: number, seconds: number): Promise<void> {
  await shop.query(
    `UPDATE "Drop" SET "startedAt" = now() + make_interval(secs => $2),
            "endTime" = now() + make_interval(secs => $2, hours => "duration") WHERE "id" = $1`,
    [dropId, seconds],
  )
}

test.describe('the seller', () => {
  test('schedules a drop, changes it and cancels its start', async ({ page, context }) => {
    const seller = await signUp(theShop())
    await signIn(context, seller)
    await page.goto('/create')
    await page.getByRole('textbox', { name: 'Product Name' }).fill('Teaser mug')
    await page.getByLabel('Description').fill('A mug.')
    await page.getByLabel('Add product images').setInputFiles([drawing()])
    await page.getByLabel('Price').fill('24')
    await expect(page.getByRole('radio', { name: 'Now' })).toBeChecked()
    await expect(page.getByLabel('Starts at')).toHaveCount(0)
    await page.getByText('At…').click()
    const startsAt = page.getByLabel('Starts at')
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(startsAt).toHaveAccessibleDescription(/Choose the date and time of the start/)
    await startsAt.fill(hoursAhead(-1))
    await expect(page.getByText('This time has passed.')).toBeVisible()
    await startsAt.fill(hoursAhead(31 * 24))
    await expect(page.getByText('A drop can start at most 30 days ahead.')).toBeVisible()
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(startsAt).toHaveAttribute('aria-invalid', 'true')
    expect(await theShop().query('SELECT "id" FROM "Drop" WHERE "userId" = $1', [seller.id])).toEqual([])
    await startsAt.fill(hoursAhead(50))
    await expect(page.getByText(/ UTC\. Your time zone is UTC/)).toBeVisible()
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByText('Your drop is scheduled. Share it before it starts.')).toBeVisible()

    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Live and scheduled' })).toBeVisible()
    await expect(page.getByText('Scheduled', { exact: true })).toBeVisible()
    await expect(page.getByText('Your drop is scheduled. You can run one at a time on your plan.')).toBeVisible()
    await expect(page.getByRole('group', { name: 'Share Teaser mug' })).toBeVisible()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Price in US dollars').fill('19.50')
    await page.getByLabel('Starts at').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByLabel('Starts at')).toHaveAccessibleDescription(/Choose the date and time of the start/)
    await page.getByLabel('Starts at').fill(hoursAhead(-2))
    await page.getByRole('button', { name: 'Save' }).click()
    // The hint says so while it is typed; the field is invalid once the server has refused it.
    await expect(page.getByLabel('Starts at')).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Starts at')).toHaveAccessibleDescription(/This time has passed/)
    await page.getByLabel('Starts at').fill(hoursAhead(20))
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Changes saved').first()).toBeVisible()
    await expect(page.getByText('$19.50').first()).toBeVisible()

    await page.getByRole('button', { name: 'Cancel start' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('its page says so')
    await dialog.getByRole('button', { name: 'Cancel start' }).click()
    await expect(page.getByText('You can launch the drop in 24 hours.').first()).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Past Drops' })).toBeVisible()
    await page.getByRole('link', { name: 'Teaser mug' }).click()
    await expect(page.getByRole('heading', { name: 'Start cancelled' })).toBeVisible()
  })
})

test.describe('a buyer', () => {
  const scheduled = () => openShopWindow({ startsAt: new Date(Date.now() + 40 * 3_600_000).toISOString() })

  for (const minutes of [-5, 5]) {
    test(`sees the button open at the start with a clock that is off by ${minutes} minutes`, async ({ page }) => {
      await page.addInitScript((skewMs) => {
        const now = Date.now.bind(Date)
        Date.now = () => now() + skewMs
      }, minutes * 60_000)
      const { shop, drop, path } = await scheduled()
      await page.goto(path)
      await expect(page.getByRole('timer', { name: 'Time until the start' })).toHaveText(/^1day1[56]hours\d\dmin$/)
      await expect(buyButton(page)).toHaveText('Not started yet')
      await expect(buyButton(page)).toBeDisabled()
      // The announced change moves the countdown of the open page.
      await startsIn(shop, drop.id, 5)
      await expect(page.getByRole('timer', { name: 'Time until the start' })).toHaveText(/^00hours00min0\dsec$/)
      const [start] = await shop.query<{ ms: number }>(
        'SELECT extract(epoch FROM "startedAt" - clock_timestamp())::float8 * 1000 AS "ms" FROM "Drop" WHERE "id" = $1',
        [drop.id],
      )
      const startsAt = performance.now() + start!.ms
      await page.waitForFunction(() =>
        [...document.querySelectorAll<HTMLButtonElement>('form[action$="/buy"] button')].some(
          (button) => !button.disabled && button.textContent?.startsWith('Buy'),
        ),
      )
      const lateMs = performance.now() - startsAt
      expect(lateMs).toBeGreaterThan(-100)
      expect(lateMs).toBeLessThan(1_000)
      await expect(page.getByRole('timer', { name: 'Time left' })).toBeVisible()
    })
  }

  test('asks for a reminder and takes the start into a calendar', async ({ page }) => {
    const { path } = await scheduled()
    await page.goto(path)
    await expect(page.getByText("We'll email you shortly before the start.")).toBeVisible()
    await page.getByLabel('Email').fill('fan@example.com')
    await page.locator('form[action$="/remind"] button').click()
    await expect(page.getByText('Check your inbox')).toBeVisible()
    const address = await page.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')
    const file = await page.request.get(address!)
    expect(file.headers()['content-type']).toContain('text/calendar')
    expect(await file.text()).toContain('BEGIN:VEVENT\r\n')
  })

  test('is refused before the start, however the call is made', async ({ page }) => {
    const { drop, path } = await scheduled()
    const call = await page.request.post('/api/checkout/create-session', {
      data: { dropId: drop.id, productType: 'physical', quantity: 1 },
    })
    expect(call.status()).toBe(409)
    expect(((await call.json()) as { error: string }).error).toContain("This drop hasn't started yet. It starts")
    const form = await page.request.post(`${path}/buy`, { form: { quantity: '1' }, maxRedirects: 0 })
    expect([form.status(), form.headers().location]).toEqual([303, expect.stringContaining(path)])
    await page.goto(`/checkout/${drop.id}`)
    await expect(page.getByText("This drop hasn't started yet.").first()).toBeVisible()
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the page says when to reload, and sells after the start', async ({ page }) => {
    const { shop, drop, path } = await openShopWindow({ startsAt: new Date(Date.now() + 3_600_000).toISOString() })
    await page.goto(path)
    await expect(page.locator('noscript p')).toHaveText(/Reload it at the start/)
    await expect(page.locator('noscript p')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Add to calendar' })).toBeVisible()
    await expect(buyButton(page)).toBeDisabled()
    await startsIn(shop, drop.id, -1)
    await page.reload()
    await expect(buyButton(page)).toBeEnabled()
  })
})
