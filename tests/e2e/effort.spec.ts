// Counts what a person has to do on a phone to buy and to publish: taps, and fields in which something is typed. The
// counts are limits. The times depend on the machine, so they are only printed.
import { expect, type Locator, type Page } from '@playwright/test'
import { cardPageAnswers } from '../support/card-page'
import { createSellerAndDrop, freshAddress, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { drawing } from '../support/photos'
import { test } from '../support/test'
import { buyButton, confirm, success, walletButton } from '../support/wallet-page'

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

function startEffort() {
  const startedAt = Date.now()
  const effort = { taps: 0, fields: 0 }
  return {
    tap: async (target: Locator) => {
      await target.tap()
      effort.taps += 1
    },
    type: async (field: Locator, text: string) => {
      await field.fill(text)
      effort.fields += 1
    },
    /** Chooses a photo: one tap on the page's button, and one on the photo or the shutter. */
    photograph: async (page: Page, button: Locator) => {
      const opened = page.waitForEvent('filechooser')
      await button.tap()
      await (await opened).setFiles([drawing()])
      effort.taps += 2
    },
    finish: (what: string) => {
      const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
      console.log(`${what}: ${seconds} s, ${effort.taps} taps, ${effort.fields} fields`)
      return effort
    },
  }
}

type Effort = ReturnType<typeof startEffort>

/** Types into every required field that is empty, as a buyer must, and pays. Each field must be marked for autofill. */
async function payByCard(page: Page, effort: Effort): Promise<void> {
  await expect(page.getByRole('heading', { name: /^Pay \$/ })).toBeVisible()
  const answers = cardPageAnswers(`${uniqueName('bea')}@example.com`)
  for (const field of await page.locator('input:visible, select:visible').all()) {
    await expect(field).toHaveAttribute('autocomplete', /^(shipping )?(email|name|address-|postal-code|country|cc-)/)
    const isRequired = (await field.getAttribute('aria-required')) === 'true'
    if (!isRequired || (await field.inputValue()) !== '') continue
    const label = await page.locator(`label[for="${await field.getAttribute('id')}"]`).innerText()
    await effort.type(field, answers[label] ?? '')
  }
  await effort.tap(page.getByRole('button', { name: /^Pay \$/ }))
  await expect(success(page)).toBeVisible()
}

const digital = { productType: 'digital', digitalFileUrl: 'https://files.example/notes.pdf', price: '7.50' }

test('with a wallet, two taps buy, and nothing is typed', async ({ page, path }) => {
  const effort = startEffort()
  await page.goto(path)
  await effort.tap(walletButton(page))
  await effort.tap(confirm(page))
  await expect(success(page)).toBeVisible()
  expect(effort.finish('Link to bought, wallet')).toMatchObject({ taps: 2, fields: 0 })
})

test('with a card, a parcel needs two taps and at most eight fields', async ({ page, path }) => {
  const effort = startEffort()
  await page.goto(path)
  await effort.tap(buyButton(page))
  await payByCard(page, effort)
  const { taps, fields } = effort.finish('Link to bought, card, parcel')
  expect(taps).toBe(2)
  expect(fields).toBeLessThanOrEqual(8)
})

test('with a card, a download needs two taps and at most three fields', async ({ page }) => {
  const { path } = await createSellerAndDrop(digital, { plan: 'pro' })
  const effort = startEffort()
  await page.goto(path)
  await effort.tap(buyButton(page))
  await payByCard(page, effort)
  const { taps, fields } = effort.finish('Link to bought, card, download')
  expect(taps).toBe(2)
  expect(fields).toBeLessThanOrEqual(3)
})

test('a new seller comes from the landing page to a live link with at most seven taps', async ({ page }) => {
  const username = uniqueName('maker')
  const effort = startEffort()
  await page.goto('/')
  await effort.tap(page.getByRole('link', { name: 'Get Started Free' }).first())
  await effort.type(page.getByLabel('First name'), 'Ada')
  await effort.type(page.getByLabel('Last name'), 'Maker')
  await effort.type(page.getByLabel('Username'), username)
  await effort.type(page.getByLabel('Email'), `${username}@example.com`)
  await effort.type(page.getByLabel('Password', { exact: true }), 'cups and saucers')
  await effort.tap(page.getByRole('button', { name: 'Create Account' }))
  await effort.tap(page.locator('a[href="/create-drop"]').filter({ visible: true }).first())
  await publish(page, effort)
  expect(effort.finish('Landing page to live link').taps).toBeLessThanOrEqual(7)
})

test('a returning seller comes from the camera to a live link with at most three taps and three fields', async ({
  page,
  context,
}) => {
  await signIn(context, await signUp(testedApp()))
  await page.goto('/create')
  await expect(page.getByRole('heading', { name: 'New drop' })).toBeVisible()
  const effort = startEffort()
  await publish(page, effort)
  expect(effort.finish('Returning seller, camera to live link')).toMatchObject({ taps: 3, fields: 3 })
})

async function publish(page: Page, effort: Effort): Promise<void> {
  await effort.photograph(page, page.getByRole('button', { name: 'Take a photo' }))
  await effort.type(page.getByLabel('Product Name'), uniqueName('Stoneware cup'))
  await effort.type(page.getByLabel('Description'), 'Thrown by hand, glazed twice.')
  await effort.type(page.getByLabel('Price'), '24')
  await effort.tap(page.getByRole('button', { name: 'Create Drop' }))
  await expect(page.getByRole('heading', { name: 'Drop Created!' })).toBeVisible({ timeout: 30_000 })
}
