// Tests the first days of a new Pro seller on a phone: a drop of each type, their ends, and a relaunch.
import { expect, type Page } from '@playwright/test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { buy, CARD, moveEnd, given, mailTo, type Shop, signIn, signUp, testedApp } from '../support/e2e'
import { plainPhoto } from '../support/photos'
import { test } from '../support/test'

type Wish = { title: string; type: 'Physical' | 'Digital' | 'Service'; fill?: (page: Page) => Promise<void> }

const pdf = Buffer.from('%PDF-1.7\nField notes')

async function createOnThePhone(page: Page, { title, type, fill }: Wish): Promise<string> {
  await page.goto('/create-drop')
  await page.getByLabel('Product Name').fill(title)
  await page.getByLabel('Description').fill(`${title}, made for this week.`)
  await page.getByText(type, { exact: true }).click()
  await page.getByLabel('Add product images').setInputFiles([await plainPhoto('photo.jpg')])
  await page.getByLabel('Price').fill('24')
  await page.getByLabel('Quantity').fill('5')
  await fill?.(page)
  await page.getByRole('button', { name: 'Create Drop' }).click()
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible()
  await expect(page.getByText('Expires in 24 hours')).toBeVisible()
  return new URL(page.url()).searchParams.get('drop') ?? ''
}

async function becomePro(page: Page): Promise<void> {
  await page.goto('/?upgrade=true')
  await page.getByRole('dialog').getByRole('button', { name: 'Upgrade to Pro' }).click()
  await page.getByLabel('Card number').fill(CARD.pays)
  await page.getByLabel('Expiry').fill('12/34')
  await page.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Pay $96.00' }).click()
  await expect(page.getByText('Welcome to Pro!', { exact: true })).toBeVisible()
}

/**
 * Runs the archive job with the HTTP call that external schedulers make, instead of waiting for the built-in scheduler.
 */
async function archive(shop: Shop): Promise<void> {
  const secrets = readFileSync(path.join(given('E2E_DATA_DIR'), 'secrets.json'), 'utf8')
  const { cronSecret } = JSON.parse(secrets) as { cronSecret: string }
  const headers = { authorization: `Bearer ${cronSecret}` }
  const answer = await fetch(`${shop.url}/api/cron/archive`, { method: 'POST', headers })
  expect(answer.status).toBe(200)
}

test('a new Pro seller creates a drop of each type, sees them end, and relaunches one', async ({ page, context }) => {
  test.setTimeout(120_000)
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  await becomePro(page)

  const mug = await createOnThePhone(page, { title: 'Speckled mug', type: 'Physical' })
  await createOnThePhone(page, {
    title: 'Field notes',
    type: 'Digital',
    fill: (form) =>
      form
        .getByLabel('Choose a digital file')
        .setInputFiles([{ name: 'Notes.pdf', mimeType: 'application/pdf', buffer: pdf }]),
  })
  await createOnThePhone(page, { title: 'Portfolio review', type: 'Service' })
  await page.goto('/')
  const live = page.getByRole('region', { name: 'Live now' })
  for (const title of ['Speckled mug', 'Field notes', 'Portfolio review']) {
    await expect(live.getByRole('link', { name: title })).toBeVisible()
  }
  await expect(page.getByText("You're using all 3 drops of your plan.")).toBeVisible()
  const drops = await shop.query<{ id: number; title: string }>(
    'SELECT "id", "title" FROM "Drop" WHERE "userId" = $1',
    [seller.id],
  )
  const idOf = (title: string) => drops.find((drop) => drop.title === title)?.id ?? 0
  await buy(shop, idOf('Speckled mug'))

  // This simulates that a day has passed and all three drops ended a minute ago.
  for (const { id } of drops) await moveEnd(shop, id, -60)
  await archive(shop)
  expect(await shop.query('SELECT 1 FROM "Drop" WHERE "userId" = $1 AND "isActive"', [seller.id])).toEqual([])
  await page.goto('/')
  const past = page.getByRole('region', { name: 'Past Drops' })
  const row = past.getByRole('listitem').filter({ hasText: 'Speckled mug' })
  await expect(past.getByText('Archived')).toHaveCount(3)
  await expect(row.getByText(/^23h 5[89]m until relaunch$/)).toBeVisible()
  await expect(row.getByRole('button', { name: 'Relaunch Now' })).toHaveCount(0)
  await page.goto(`/drop/${mug}`)
  await expect(page.getByText('This drop has ended').first()).toBeVisible()
  const recaps = (await mailTo(shop, seller.email)).filter(({ subject }) => subject.startsWith('Your drop has ended'))
  expect(recaps).toHaveLength(3)
  const recap = recaps.find(({ subject }) => subject.endsWith('Speckled mug'))
  expect(recap?.text).toContain('1 sale, Ada')
  expect(recap?.text).toContain('Sold: 1 of 5')
  const recapLink = /https?:\/\/\S+(\/recap\/\d+\/1)\b/.exec(recap?.text ?? '')?.[1]
  await page.goto(recapLink ?? '')
  await expect(page.getByText('1 of 5 sold')).toBeVisible()
  const kept = page
    .locator('div')
    .filter({ has: page.getByText('You keep', { exact: true }) })
    .last()
  await expect(kept).toContainText(/\$\d+\.\d\d/)
  await page.goto('/')
  await page.getByRole('link', { name: 'Recap of Speckled mug' }).click()
  await expect(page).toHaveURL(new RegExp(`${recapLink}$`))

  // Ended drops do not count toward the limit of three active drops, so the seller can create another drop. This drop
  // is digital and has a link instead of a file.
  await createOnThePhone(page, {
    title: 'Preset pack',
    type: 'Digital',
    fill: async (form) => {
      await form.getByText('External Link', { exact: true }).click()
      await form.getByLabel('Link to the file').fill('https://files.example/presets.zip')
    },
  })

  // Another day has passed. The run of the mug ended more than 24 hours ago, so it may be relaunched.
  await moveEnd(shop, idOf('Speckled mug'), -24 * 3600 - 1)
  await page.goto('/')
  await expect(row.getByText('Ready to relaunch')).toBeVisible()
  await row.getByRole('button', { name: 'Relaunch Now' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Quantity')).toHaveValue('4')
  await dialog.getByText('48 hours').click()
  await dialog.getByRole('button', { name: 'Relaunch Now' }).click()
  await expect(page.getByText('Drop Relaunched!', { exact: true })).toBeVisible()
  await expect(live.getByRole('link', { name: 'Speckled mug' })).toBeVisible()
  await expect(past.getByText('Archived')).toHaveCount(2)
  await page.goto(`/drop/${mug}`)
  await expect(page.getByText('4 of 4 left').first()).toBeVisible()
  await expect(page.getByRole('timer').first()).toContainText(/4[78]/)
})
