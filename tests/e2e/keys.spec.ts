// Tests a drop that hands out keys, from the pasted list to the key on the buyer's order page and a refund.
import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { publishDrop } from '../support/fill-create-form'
import { buy, mailTo, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { drawing } from '../support/photos'
import { expectGoodScreen } from '../support/screen-checks'
import { test } from '../support/test'

test('a seller pastes keys, each buyer sees their own after paying, and a key that was seen is never sold again', async ({
  page,
  context,
  browser,
}) => {
  const shop = testedApp()
  await signIn(context, await signUp(shop, { plan: 'pro' }))
  const title = uniqueName('Tiny game')
  const email = `${uniqueName('bea')}@example.com`

  await test.step('the form counts the keys, points out a wrong line, and sets the quantity', async () => {
    await page.goto('/create')
    await page.getByLabel('Product Name').fill(title)
    await page.getByLabel('Description').fill('A game for two.')
    await page.getByRole('radio', { name: 'Digital' }).check({ force: true })
    await page.getByLabel('Add product images').setInputFiles([drawing()])
    await page.getByLabel('Price').fill('12')
    await page.getByLabel('Keys').fill('GAME-1\n\nGAME-2\nGAME-1')
    await page.getByRole('button', { name: 'Create Drop' }).click()
    await expect(page.getByRole('link', { name: 'Line 4 is the same as line 1.' })).toBeVisible()
    await page.getByLabel('Keys').fill('GAME-1\n\nGAME-2\nGAME-3\n')
    await expect(page.getByText('3 keys', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Quantity')).toHaveValue('3')
    await expectGoodScreen(page, 'create-keys')
  })

  const link = await publishDrop(page)
  const [drop] = await shop.query<{ id: number }>('SELECT "id" FROM "Drop" WHERE "title" = $1', [title])
  const buyer = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await buyer.goto(link)
  await expect(buyer.getByText('Your key is ready on your order page right after you pay.')).toBeVisible()
  expect(await buyer.content()).not.toContain('GAME-1')

  await buy(shop, drop!.id, email)
  await expect
    .poll(async () => (await mailTo(shop, email)).map(({ text }) => text))
    .toMatchObject([expect.stringContaining('Your key is on your order page.')])
  const [order] = await shop.query<{ id: string; token: string }>(
    'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1 AND "buyerEmail" = $2',
    [drop!.id, email],
  )

  await test.step('without JavaScript, the buyer asks for the key and finds it again later', async () => {
    const opened = await buyer.goto(`/o/${order!.token}`)
    expect(opened?.headers()['cache-control']).toContain('no-store')
    expect(await buyer.content()).not.toContain('GAME-1')
    await buyer.getByRole('button', { name: 'Show my key' }).click()
    await expect(buyer.getByText('GAME-1', { exact: true })).toBeVisible()
    await buyer.goto(`/o/${order!.token}`)
    await expect(buyer.getByText('GAME-1', { exact: true })).toBeVisible()
    await expect(buyer.getByText('Key shown to you')).toBeVisible()
    await page.goto(`/o/${order!.token}`)
    await page.getByRole('button', { name: 'Copy GAME-1' }).click()
    await expectGoodScreen(page, 'order-keys')
  })

  await test.step('the seller refunds the order, cannot restock it, and marks the key as void', async () => {
    await page.goto(`/orders/${order!.id}`)
    await expect(page.getByText('GAME-1', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Refund' }).click()
    await expect(page.getByText("The buyer has seen the key, so the unit can't go back on sale.")).toBeVisible()
    await page.getByRole('button', { name: 'Refund $12.00' }).click()
    await expect(page.getByText("so we won't sell the key again")).toBeVisible()
    await page.getByRole('button', { name: 'Mark as void' }).click()
    await expect(page.getByText('Marked as void.')).toBeVisible()
    await expectGoodScreen(page, 'seller-order-keys')
    await buyer.goto(`/o/${order!.token}`)
    expect(await buyer.content()).not.toContain('GAME-1')
  })

  await test.step('the dashboard counts the keys, and added keys raise the quantity', async () => {
    await page.goto('/')
    await expect(page.getByText('2 keys left, 1 refunded after the buyer saw it')).toBeVisible()
    await page.getByRole('button', { name: /^Edit (?!Profile$)/ }).click()
    await page.getByLabel('Add keys').fill('NEW-1\nGAME-2')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(
      page.getByText('Line 2 is already a key of this drop. Each key can be listed once.').first(),
    ).toBeVisible()
    await expectGoodScreen(page, 'edit-keys')
    await page.getByLabel('Add keys').fill('NEW-1\nNEW-2')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('4 keys left, 1 refunded after the buyer saw it')).toBeVisible()
    await expect(page.getByText('1 of 5 sold')).toBeVisible()
  })

  await test.step('after the end, the seller downloads the keys that nobody bought', async () => {
    await shop.query(
      `UPDATE "Drop" SET "isActive" = false, "archivedAt" = now(), "startedAt" = now() - interval '1 day', "endTime" = now()
        WHERE "id" = $1`,
      [drop!.id],
    )
    await page.goto('/')
    const link = page.getByRole('link', { name: `Download unused keys of ${title}` })
    await expect(page.getByText('4 keys left')).toBeVisible()
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(await readFile(await file.path(), 'utf8')).toBe('GAME-2\nGAME-3\nNEW-1\nNEW-2\n')
    await expectGoodScreen(page, 'past-drop-keys')
  })
})
