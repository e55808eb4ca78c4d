// Tests the public page of a drop: its states, countdown, buy button, link preview, count of views and gallery.
import { expect, type Page, type Response } from '@playwright/test'
import sharp from 'sharp'
import { fillCardPage } from '../support/card-page'
import {
  buy,
  CARD,
  createDrop,
  moveEnd,
  openCheckout,
  createSellerAndDrop,
  postJson,
  signIn,
  signUp,
  stockOf,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { drawing, largePhoto } from '../support/photos'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test.describe('states', () => {
  test('a missing drop shows a message with a link to other drops', async ({ page }) => {
    const answer = await page.goto(`/drop/${uniqueName('nobody')}`)
    expect(answer!.status()).toBe(404)
    await expect(page.getByRole('heading', { name: 'Drop Not Found' })).toBeVisible()
    await expect(page.getByText("This drop may have expired or doesn't exist.")).toBeVisible()
    await page.getByRole('link', { name: 'Browse Other Drops' }).click()
    await expect(page).toHaveURL(/\/#live$/)
  })

  for (const identifier of ['%00', '%E0%A4%A', 'a'.repeat(300), '99999999999', '%2e%2e%2f', "'%20OR%201=1--", '💥']) {
    test(`the identifier ${identifier.slice(0, 20)} gets the status 400 or 404 and not a server error`, async () => {
      for (const path of [`/drop/${identifier}`, `/api/drop/${identifier}`]) {
        const answer = await fetch(testedApp().url + path, { redirect: 'manual' })
        expect([400, 404], `${path} answered ${answer.status}`).toContain(answer.status)
        await answer.arrayBuffer()
      }
    })
  }

  test('an ended drop cannot be bought', async ({ page, shop, drop, path }) => {
    await moveEnd(shop, drop.id, -60)
    const answer = await page.goto(path)
    expect(answer!.status()).toBe(200)
    await expect(page.getByRole('heading', { name: 'Drop Expired' })).toBeVisible()
    await expect(page.getByText('This drop has ended')).toBeVisible()
    await expect(buyButton(page)).toHaveText('Drop Expired')
    await expect(buyButton(page)).toBeDisabled()
    await expect(page.getByRole('timer')).toHaveCount(0)
    await expect(page.getByText('Ended', { exact: true }).first()).toBeVisible()
    await expect(page.getByRole('link', { name: 'Browse Other Drops' })).toBeVisible()
    const refused = await openCheckout(shop, drop.id)
    expect(refused).toMatchObject({ status: 409, body: { code: 'DROP_ENDED', error: 'This drop has ended' } })
  })

  test('an open page shows the end of the drop within seconds and without a reload', async ({
    page,
    shop,
    drop,
    path,
  }) => {
    await moveEnd(shop, drop.id, 12)
    await page.goto(path)
    await expect(buyButton(page)).toBeEnabled()
    await expect(page.getByRole('heading', { name: 'Drop Expired' })).toBeVisible({ timeout: 30_000 })
    const [row] = await shop.query<{ isLate: boolean; isEarly: boolean }>(
      `SELECT now() > "endTime" + interval '3 seconds' AS "isLate", now() < "endTime" - interval '1 second' AS "isEarly"
         FROM "Drop" WHERE "id" = $1`,
      [drop.id],
    )
    expect(row).toEqual({ isLate: false, isEarly: false })
    await expect(buyButton(page)).toBeDisabled()
  })

  test('a sold-out drop is shown as sold out', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
    await buy(shop, drop.id)
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Sold out' })).toBeVisible()
    await expect(buyButton(page)).toHaveText('Sold out')
    await expect(buyButton(page)).toBeDisabled()
    await expect(page.getByText('1 sold', { exact: true })).toBeVisible()
    await expect(page.getByRole('timer')).toHaveCount(0)
    expect(await openCheckout(shop, drop.id)).toMatchObject({ status: 409, body: { code: 'SOLD_OUT' } })
  })

  test('units in checkout are shown, and other buyers cannot buy them', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop({ quantity: '2' })
    await openCheckout(shop, drop.id)
    await page.goto(path)
    await expect(page.getByText('1 of 2 left, 1 in checkout')).toBeVisible()
    await openCheckout(shop, drop.id)
    await page.reload()
    await expect(page.getByRole('heading', { name: 'All in checkout' })).toBeVisible()
    await expect(buyButton(page)).toHaveText('All in checkout')
    await expect(buyButton(page)).toBeDisabled()
  })

  test('the countdown shows hours, minutes and seconds and changes once a second', async ({
    page,
    shop,
    drop,
    path,
  }) => {
    await moveEnd(shop, drop.id, 3 * 3600 + 30)
    await openHydrated(page, path)
    const timer = page.getByRole('timer', { name: 'Time left' })
    const read = async () => {
      const text = (await timer.textContent()) ?? ''
      const [, hours, minutes, seconds] = /^(\d\d)hours(\d\d)min(\d\d)sec$/.exec(text) ?? []
      return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    }
    await expect.poll(read, { intervals: [50] }).toBeLessThanOrEqual(3 * 3600 + 30)
    expect(await read()).toBeGreaterThan(3 * 3600)
    const first = await read()
    await expect.poll(read, { intervals: [50] }).toBe(first - 1)
    await expect.poll(read, { intervals: [50] }).toBe(first - 2)
  })
})

test.describe('buying', () => {
  test('the buy button shows that it is working, and a refusal is shown on the same page', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    await page.route('**/api/checkout/create-session', async (route) => {
      await held
      await route.continue()
    })
    await openHydrated(page, path)
    await buyButton(page).click()
    await expect(buyButton(page)).toHaveText('Processing...')
    await expect(buyButton(page)).toBeDisabled()
    await buy(shop, drop.id)
    letGo()
    await expect(page.getByText('Sold out. Every unit of this drop has been bought.').first()).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(buyButton(page)).toHaveText('Sold out')
  })

  test('a buyer who has to wait in line sees the place in line, and then reaches the card page without another tap', async ({
    page,
  }) => {
    const { path } = await createSellerAndDrop()
    let calls = 0
    await page.route('**/api/checkout/create-session', async (route) => {
      calls += 1
      if (calls > 1) return route.continue()
      await route.fulfill({ status: 202, json: { wait: { ahead: 83, seconds: 2 } } })
    })
    await openHydrated(page, path)
    await buyButton(page).click()
    await expect(
      page.getByText(
        "Your unit is reserved. We'll open checkout in about 2 seconds. At most 83 buyers are ahead of you.",
      ),
    ).toBeVisible()
    await expect(page.getByRole('heading', { name: /^Pay \$/ })).toBeVisible()
    expect(calls).toBe(2)
  })

  test('a network failure shows a message, and the button works again', async ({ page, path }) => {
    await page.route('**/api/checkout/create-session', (route) => route.abort())
    await openHydrated(page, path)
    await buyButton(page).click()
    await expect(page.getByText('Failed to start checkout').first()).toBeVisible()
    await page.unroute('**/api/checkout/create-session')
    await expect(buyButton(page)).toBeEnabled()
    await buyButton(page).click()
    await expect(page.getByRole('heading', { name: /^Pay \$/ })).toBeVisible()
  })

  test('a declined card does not change the stock, and a second card pays', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
    await openHydrated(page, path)
    await buyButton(page).click()
    const email = `${uniqueName('bea')}@example.com`
    await fillCardPage(page, email, CARD.isDeclined)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await expect(page.getByRole('alert')).toContainText('Your card was declined')
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 0, held: 1 })
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await expect(page.getByLabel('Address line 1')).toHaveValue('1 Long Lane')
    await expect(page.getByLabel('Card number')).toHaveValue('')
    await fillCardPage(page, email)
    await page.getByRole('button', { name: /^Pay/ }).click()
    await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 1, held: 0 })
  })

  test('a buyer who goes back from the card page releases the unit immediately', async ({ page }) => {
    const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
    await openHydrated(page, path)
    await buyButton(page).click()
    await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
    const cardPage = page.url()
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 0, held: 1 })
    await page.getByRole('link', { name: 'Cancel and go back' }).click()
    await expect(page).toHaveURL(new RegExp(`${path}#checkout-canceled$`))
    await expect(page.getByText("You weren't charged. You left the checkout.")).toBeVisible()
    await expect(page.getByText('1 of 1 left')).toBeVisible()
    expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 0, held: 0 })
    const gone = await page.goto(cardPage)
    expect(gone!.status()).toBe(410)
    await expect(page.getByRole('heading', { name: 'This checkout has expired' })).toBeVisible()
  })

  test('tapping Buy again leads to the same checkout', async () => {
    const { shop, drop } = await createSellerAndDrop({ quantity: '3' })
    const first = await openCheckout(shop, drop.id)
    const again = await Promise.all([1, 2, 3].map(() => openCheckout(shop, drop.id, { cookie: first.cookie })))
    expect(again.map(({ body }) => body.url)).toEqual([first.body.url, first.body.url, first.body.url])
    expect(await stockOf(shop, drop.id)).toMatchObject({ held: 1 })
  })

  test('sellers cannot buy their own drops', async ({ page, context, shop, seller, drop, path }) => {
    const refused = await openCheckout(shop, drop.id, { cookie: seller.cookie })
    expect(refused).toMatchObject({ status: 403, body: { code: 'OWN_DROP', error: "You can't buy your own drop." } })
    await signIn(context, seller)
    await openHydrated(page, path)
    await buyButton(page).click()
    await expect(page.getByText("You can't buy your own drop.").first()).toBeVisible()
    expect(await stockOf(shop, drop.id)).toMatchObject({ held: 0 })
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('a visitor can buy', async ({ page }) => {
      const { shop, drop, path } = await createSellerAndDrop({ price: '24.00', quantity: '1' })
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: drop.title })).toBeVisible()
      await expect(page.getByText('1 of 1 left')).toBeVisible()
      await expect(page.getByRole('timer', { name: 'Time left' })).toBeVisible()
      await page.getByRole('button', { name: 'Buy – $24.00' }).click()
      await fillCardPage(page, `${uniqueName('bea')}@example.com`)
      await page.getByRole('button', { name: 'Pay $24.00' }).click()
      await expect(page.getByRole('heading', { name: 'Payment Successful!' })).toBeVisible()
      await page.getByRole('link', { name: 'View your order' }).click()
      await expect(page.getByRole('heading', { name: 'Thanks for your order' })).toBeVisible()
      expect(await stockOf(shop, drop.id)).toEqual({ quantity: 1, sold: 1, held: 0 })
    })

    test('a refused purchase returns to the drop page, which shows the reason', async ({ page }) => {
      const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
      await page.goto(path)
      await buy(shop, drop.id)
      await page.getByRole('button', { name: /^Buy/ }).click()
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await expect(page.getByRole('heading', { name: 'Sold out' })).toBeVisible()
    })
  })
})

test.describe('link preview', () => {
  const agents = {
    Telegram: 'TelegramBot (like TwitterBot)',
    WhatsApp: 'WhatsApp/2.23.20.0',
    Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    X: 'Twitterbot/1.0',
    Slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    Discord: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    iMessage:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    Chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  }

  test('the head has the preview tags for the user agents of apps that show previews and of a browser', async () => {
    const { shop, drop, path } = await createSellerAndDrop({
      title: `${uniqueName('Tea & "cups"')} <b>`,
      price: '1234.50',
    })
    for (const [app, agent] of Object.entries(agents)) {
      const html = await (await fetch(shop.url + path, { headers: { 'user-agent': agent } })).text()
      const head = html.slice(0, html.indexOf('</head>'))
      const tag = (name: string) =>
        new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(head)?.[1]?.replaceAll('&amp;', '&')
      const title = drop.title.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      expect(tag('og:title'), app).toBe(title)
      expect(tag('og:description'), app).toMatch(
        /^\$1,234\.50 · Ends \w{3}, \w{3} \d{1,2}, \d{1,2}:\d\d [AP]M UTC · @\w+\. /,
      )
      expect(tag('og:url'), app).toBe(shop.url + path)
      expect(tag('og:image'), app).toMatch(new RegExp(`^${shop.url}${path}/opengraph-image`))
      expect(tag('og:image:width'), app).toBe('1200')
      expect(tag('og:image:height'), app).toBe('630')
      expect(tag('og:image:type'), app).toBe('image/png')
      expect(tag('og:image:alt'), app).toBe(title)
      expect(tag('og:site_name'), app).toBe('Lastcall')
      expect(tag('og:type'), app).toBe('website')
      expect(tag('twitter:card'), app).toBe('summary_large_image')
      expect(head, app).toMatch(/<link rel="alternate" type="application\/json\+oembed" href="[^"]+\/api\/oembed\?/)
      expect(head, app).toContain(`<link rel="canonical" href="${shop.url}${path}"`)
    }
  })

  test('the preview picture is a PNG of 1200 × 630 pixels and under 300 KB, even for a photo of noise', async () => {
    const shop = testedApp()
    const seller = await signUp(shop, { plan: 'pro' })
    const title = 'Ærlig talt: 手作りの陶器 💥 a title as long as anyone may write, and then a few words more of it'
    for (const [name, pictures] of [
      ['drawing', [drawing('enamel-pins-3')]],
      ['noise', [await largePhoto()]],
    ] as const) {
      const drop = await createDrop(shop, seller, { title }, [...pictures])
      const url = `${shop.url}/drop/${drop.identifier}/opengraph-image`
      for (const state of ['live', 'ended']) {
        if (state === 'ended') await moveEnd(shop, drop.id, -60)
        const answer = await fetch(url)
        const bytes = Buffer.from(await answer.arrayBuffer())
        expect(answer.headers.get('content-type')).toBe('image/png')
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
        console.log(`Preview image (${name}, ${state}): ${Math.round(bytes.length / 1000)} KB`)
        expect(bytes.length).toBeLessThan(300_000)
        // The fallback picture has a single color, so a picture with contrast is not the fallback.
        const { channels } = await sharp(bytes).stats()
        expect(Math.max(...channels.map((channel) => channel.stdev))).toBeGreaterThan(5)
      }
    }
    expect((await fetch(`${shop.url}/drop/${uniqueName('nobody')}/opengraph-image`)).status).toBe(404)
  })

  test('other identifiers of a drop redirect to its canonical URL', async () => {
    const slug = uniqueName('slug').replace('_', '-')
    const { shop, drop } = await createSellerAndDrop({ customSlug: slug }, { plan: 'pro' })
    expect(drop.identifier).toBe(slug)
    for (const spelling of [drop.uniqueId, drop.uniqueId.toUpperCase(), String(drop.id), slug.toUpperCase()]) {
      const answer = await fetch(`${shop.url}/drop/${spelling}?code=FRIENDS`, { redirect: 'manual' })
      expect(answer.status, spelling).toBe(308)
      expect(answer.headers.get('location')).toBe(`/drop/${slug}?code=FRIENDS`)
    }
    const answer = await fetch(`${shop.url}/drop/${slug}`, { redirect: 'manual' })
    expect(answer.status).toBe(200)
    expect(answer.headers.has('set-cookie')).toBe(false)
  })
})

test('a view counts once per visitor, and views of the owner or a bot do not count', async ({
  page,
  browser,
  shop,
  seller,
  drop,
  path,
}) => {
  const views = async () =>
    (await shop.query<{ views: number }>('SELECT "views" FROM "Drop" WHERE "id" = $1', [drop.id]))[0]!.views
  const url = `${shop.url}/api${path}/view`
  // The query of this request contains the source of the visit, so only the beginning is compared.
  const beacon = (response: Response) => response.url().startsWith(url)

  const owner = await browser.newContext()
  await signIn(owner, seller)
  const ownerPage = await owner.newPage()
  const ownBeacon = ownerPage.waitForResponse(beacon)
  await ownerPage.goto(path)
  expect((await ownBeacon).status()).toBe(204)
  await owner.close()
  for (const agent of ['Googlebot/2.1', 'TelegramBot (like TwitterBot)', 'curl/8.5.0', '']) {
    const answer = await postJson(url, '', { 'user-agent': agent })
    expect(answer.status).toBe(204)
  }
  for (let visit = 0; visit < 3; visit += 1) {
    const sent = page.waitForResponse(beacon)
    await page.goto(path)
    expect((await sent).status()).toBe(204)
  }
  await expect.poll(views).toBe(1)
  // This view is written after the views of the visits above. If those had counted more than once, the total would
  // exceed 2.
  await postJson(url, '', { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' })
  await expect.poll(views).toBe(2)
})
