// Tests a numbered drop from the create form to the receipt, and what the pages of a drop say about its runs and its
// planned return.
import { expect } from '@playwright/test'
import { fillCreateForm, openFold, publishDrop } from '../support/fill-create-form'
import { buy, createDrop, mailTo, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'

test('a seller numbers the units, and the order, receipt, slip and edition page show the numbers', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  await signIn(context, await signUp(shop))
  const title = uniqueName('Riso print')
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the seller finds the switch in a collapsed section and publishes the drop', async () => {
    await page.goto('/create')
    await fillCreateForm(page, title, '48')
    await page.getByLabel('Quantity').fill('20')
    await expect(page.getByLabel('Number each unit')).toBeHidden()
    await openFold(page, 'Limited edition, not numbered')
    await page.getByLabel('Number each unit').click()
    await expect(page.getByText('Limited edition, numbered')).toBeVisible()
    await expectGoodScreen(page, 'create-numbered')
  })

  const link = await publishDrop(page)
  const [drop] = await shop.query<{ id: number }>('SELECT "id" FROM "Drop" WHERE "title" = $1', [title])
  const buyer = await (await browser.newContext({ javaScriptEnabled: false })).newPage()

  await test.step('two people buy, and the order, the receipt and the slip show the number', async () => {
    await buy(shop, drop!.id)
    await buy(shop, drop!.id, email)
    await expect
      .poll(async () => (await mailTo(shop, email)).map(({ text }) => text))
      .toMatchObject([expect.stringContaining('Your number: No. 2')])
    const [order] = await shop.query<{ id: string; token: string }>(
      'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1 AND "buyerEmail" = $2',
      [drop!.id, email],
    )
    await buyer.goto(`/o/${order!.token}`)
    await expect(buyer.getByText('No. 2', { exact: true })).toBeVisible()
    await buyer.goto(`/o/${order!.token}/receipt`)
    await expect(buyer.getByText('No. 2', { exact: true })).toBeVisible()
    await page.goto('/orders')
    await expect(page.getByText(/No\. 2 ·/)).toBeVisible()
    await page.goto(`/orders/${order!.id}`)
    await expect(page.getByText('No. 2', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByText(/number of a refunded unit is retired/)).toBeVisible()
    await page.goto(`/orders/slips?order=${order!.id}`)
    await expect(page.getByRole('cell', { name: `${title} No. 2` })).toBeVisible()
  })

  await test.step('the drop page and the edition page say how many numbers were given, and name no buyer', async () => {
    await buyer.goto(link)
    await expect(buyer.getByText('2 assigned so far.')).toBeVisible()
    await buyer.getByRole('link', { name: 'See the edition' }).click()
    await expect(buyer.getByText('No. 1 to No. 2 were assigned. More may follow.')).toBeVisible()
    expect(await buyer.content()).not.toContain(email)
    await page.goto(buyer.url())
    await expectGoodScreen(page, 'edition')
  })
})

test('the line under the countdown shows the recorded changes and links to a page with all runs', async ({
  page,
  browser,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller, { quantity: '3' })
  const identifier = drop.uniqueId
  const line = page.locator('[data-history]')
  await page.goto(`/drop/${identifier}`)
  await expect(line).toHaveText('Run 1 · times and units unchanged')

  await test.step('an open page shows added units and an early end', async () => {
    const body = new FormData()
    body.set('quantity', '5')
    const edited = await fetch(`${shop.url}/api/drops/${drop.id}`, {
      method: 'PATCH',
      body,
      headers: { cookie: seller.cookie },
    })
    expect(edited.status).toBe(200)
    await expect(line).toHaveText('Run 1 · 2 units added')
    await expectGoodScreen(page, 'history-line')
    await buy(shop, drop.id)
    const ended = await fetch(`${shop.url}/api/drops/${drop.id}/end`, {
      method: 'POST',
      headers: { cookie: seller.cookie },
    })
    expect(ended.status).toBe(200)
    await expect(line).toHaveText(/^Run 1 · 2 units added · ended 23 h 5\d min early by its seller$/)
  })

  await test.step('the line links to the page of all runs, which works without JavaScript', async () => {
    await line.getByRole('link').click()
    await expect(page.getByRole('heading', { name: 'Runs of this drop' })).toBeVisible()
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await plain.goto(`/drop/${drop.id}/runs`)
    expect(new URL(plain.url()).pathname).toBe(`/drop/${identifier}/runs`)
    await expect(plain.getByText('Sold 1 of 5')).toBeVisible()
    await expect(plain.getByRole('list').getByText('2 units added')).toBeVisible()
    await page.goto(plain.url())
    await expectGoodScreen(page, 'runs')
    for (const page of ['runs', 'edition']) {
      expect((await fetch(`${shop.url}/drop/nothing-here/${page}`)).status).toBe(404)
      const known = await fetch(`${shop.url}/drop/${identifier}/${page}`)
      expect([known.status, known.headers.get('cache-control')]).toEqual([200, expect.stringContaining('public')])
    }
  })
})

test('a drop on sale shows its planned return, and the auto-renew setting says that buyers can read about this return', async ({
  page,
  context,
}) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const drop = await createDrop(shop, seller)
  await signIn(context, seller)
  await page.goto('/')
  await page.getByRole('button', { name: 'Settings' }).first().click()
  await expect(page.getByText(/The drop page tells buyers when the drop may return/)).toBeVisible()
  await page.getByLabel(/Auto-renew drops/).click()
  await expect(page.getByText('Settings updated successfully!', { exact: true })).toBeVisible()
  const visitor = await context.browser()!.newPage()
  await visitor.goto(`${shop.url}/drop/${drop.uniqueId}`)
  await expect(visitor.locator('[data-history]')).toHaveText(/^Run 1 · may return .+ · times and units unchanged/)
  expect(await visitor.locator('meta[property="og:description"]').getAttribute('content')).toMatch(
    /Ends .+ UTC · May return .+ UTC/,
  )
})
