// Tests an open edition from the create form to its closed page: buyers see how many units were ordered instead of how
// many are left, the units are numbered, and a closed edition cannot be launched again.
import { expect } from '@playwright/test'
import { fillCreateForm, openFold, publishDrop } from '../support/fill-create-form'
import { buy, moveEnd, openMore, postJson, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { expectGoodScreen, expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test('a seller publishes an open edition, buyers see how many are ordered, and it closes forever', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  await signIn(context, seller)
  const title = uniqueName('Linocut')
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the form offers the open edition, shows its cap collapsed and refuses a cap of zero', async () => {
    await page.goto('/create')
    await fillCreateForm(page, title, '30')
    await page.getByLabel('Quantity').fill('12')
    await openFold(page, 'Limited edition, not numbered')
    await page.getByRole('radio', { name: 'Open As many' }).check({ force: true })
    await expect(page.getByText('Open edition, numbered')).toBeVisible()
    await expect(page.getByText('Sizes, colors or other choices: none')).toBeVisible()
    await expect(page.getByLabel('Safety cap')).toBeHidden()
    await page.getByText('Safety cap: 1,000').click()
    await page.getByLabel('Safety cap').fill('0')
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByRole('link', { name: 'The safety cap must be a whole number' })).toBeVisible()
    await page.getByRole('radio', { name: 'Limited' }).check({ force: true })
    await expect(page.getByLabel('Quantity')).toHaveValue('12')
    await expect(page.getByText('Limited edition, not numbered')).toBeVisible()
    await page.getByRole('radio', { name: 'Open As many' }).check({ force: true })
    await expectGoodScreen(page, 'create-open')
  })

  const link = await publishDrop(page)
  const [drop] = await shop.query<{ id: number; quantity: number }>(
    'SELECT "id", "quantity" FROM "Drop" WHERE "title" = $1',
    [title],
  )
  expect(drop!.quantity).toBe(1_000)
  const visitor = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()

  await test.step('the drop page counts new orders without a reload, and never says how many are left', async () => {
    await visitor.goto(link)
    await expect(visitor.getByText('0 ordered so far')).toBeVisible()
    await expect(visitor.getByText(/^Open until /)).toBeVisible()
    await expectHydrated(visitor)
    await buy(shop, drop!.id, email)
    await expect(visitor.getByText('1 ordered so far')).toBeVisible()
    await expect(visitor.getByText('Open edition, runs only once')).toBeVisible()
    expect(await visitor.locator('main').innerText()).not.toMatch(/\d left/)
    await expectGoodScreen(visitor, 'open-edition')
  })

  const [order] = await shop.query<{ token: string }>(
    'SELECT "token" FROM "Order" WHERE "dropId" = $1 AND "buyerEmail" = $2',
    [drop!.id, email],
  )

  await test.step('the order says that the total is known at the end', async () => {
    await visitor.goto(`/o/${order!.token}`)
    await expect(visitor.getByText('No. 1', { exact: true })).toBeVisible()
    await expect(visitor.getByText('Numbered in order. The total is known at the end.')).toBeVisible()
    await visitor.goto(`/o/${order!.token}/receipt`)
    await expect(visitor.getByText('Numbered in order. The total is known at the end.')).toBeVisible()
    await visitor.goto(`${link}/edition`)
    await expect(visitor.getByText('No. 1 was assigned. More may follow. The total is known at the end.')).toBeVisible()
  })

  await test.step('the dashboard shows the orders, and says that ending it closes it forever', async () => {
    await page.goto('/')
    await expect(page.getByText('1 ordered so far, cap 1,000')).toBeVisible()
    await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
    await page.getByLabel('Safety cap').fill('2000')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText("The safety cap can't be raised after the first sale").first()).toBeVisible()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await openMore(page)
    await page.getByRole('button', { name: 'End early' }).click()
    await expect(page.getByText(/closes forever, and you can't launch it again/)).toBeVisible()
    await page.getByRole('button', { name: 'Keep it live' }).click()
  })

  await test.step('after its end it is closed forever, and the order page shows the total', async () => {
    await moveEnd(shop, drop!.id, -25 * 3_600)
    await visitor.goto(link)
    await expect(visitor.getByRole('heading', { name: 'Closed forever: 1 was ordered.' })).toBeVisible()
    await expect(visitor.getByRole('button', { name: 'Remind me' })).toHaveCount(0)
    await expectGoodScreen(visitor, 'open-edition-closed')
    await visitor.goto(`/o/${order!.token}`)
    await expect(visitor.getByText('1 of 1', { exact: true })).toBeVisible()
    const refused = await postJson(
      `${shop.url}/api/drops/${drop!.id}/relaunch`,
      { duration: 24 },
      { cookie: seller.cookie },
    )
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'OPEN_NO_SECOND_RUN', error: expect.stringContaining('closes forever') },
    ])
    await page.goto('/')
    await expect(page.getByText('Closed forever', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Relaunch Now' })).toHaveCount(0)
  })
})
