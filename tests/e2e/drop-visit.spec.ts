// Tests the drop page on a phone: picture viewer, quantity, a wrong clock, live updates, in-app browsers, reminders and
// sharing. Also tests removed drops, markup in titles, crawlers and malformed URLs.
import { expect, type Page } from '@playwright/test'
import {
  createDrop,
  moveEnd,
  mailTo,
  openCheckout,
  createSellerAndDrop,
  signUp,
  stockOf,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { drawing } from '../support/photos'
import { openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

const buyButton = (page: Page) => page.locator('form[action$="/buy"] button').filter({ visible: true })

test.describe('full-screen viewer', () => {
  const open = async (page: Page) => {
    const { path } = await createSellerAndDrop({}, { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) })
    // Before its code runs, the link leads to the picture itself.
    await openHydrated(page, path)
    // The gallery starts with the first picture.
    await expect(page.getByRole('button', { name: 'Previous photo' })).toBeDisabled()
    await expect(page.getByRole('button', { name: 'Next photo' })).toBeEnabled()
    await page
      .getByRole('link', { name: /: view full screen$/ })
      .first()
      .click()
    const viewer = page.getByRole('dialog', { name: 'Photos, full screen' })
    await expect(viewer).toBeVisible()
    return { viewer, path }
  }

  test('keys and buttons change the picture, and Escape closes the viewer', async ({ page }) => {
    const { viewer, path } = await open(page)
    // Keys work only after the viewer has the focus.
    await expect.poll(() => page.evaluate(() => Boolean(document.activeElement?.closest('[role="dialog"]')))).toBe(true)
    await expect(viewer.getByRole('button', { name: 'Next photo' })).toBeEnabled()
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByRole('button', { name: 'Next photo' })).toBeDisabled()
    await viewer.getByRole('button', { name: 'Previous photo' }).click()
    await expect(viewer.getByRole('button', { name: 'Previous photo' })).toBeDisabled()
    await expect(viewer.getByRole('button', { name: 'Next photo' })).toBeEnabled()
    await expect(viewer.getByRole('button', { name: 'Zoom in' })).toBeVisible()
    await viewer.getByRole('button', { name: 'Next photo' }).click()
    await page.keyboard.press('Escape')
    await expect(viewer).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    // The gallery shows the picture that the viewer showed last.
    await expect(page.getByText('Photo 2/2')).toBeVisible()
  })

  test('every button that has the keyboard focus shows a ring, and the focus returns to the photo', async ({
    page,
  }) => {
    const { viewer } = await open(page)
    await expect.poll(() => page.evaluate(() => Boolean(document.activeElement?.closest('[role="dialog"]')))).toBe(true)
    const withRing = new Set<string>()
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!)
        const name = document.activeElement!.getAttribute('aria-label')
        return { name, hasRing: outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2 }
      })
      if (focused.name) expect(focused).toEqual({ name: focused.name, hasRing: true })
      if (focused.name) withRing.add(focused.name)
    }
    expect([...withRing]).toEqual(expect.arrayContaining(['Close', 'Next photo', 'Zoom in']))
    await page.keyboard.press('Escape')
    await expect(viewer).toHaveCount(0)
    await expect(page.getByRole('link', { name: /: view full screen$/ }).first()).toBeFocused()
  })

  test('the back button closes the viewer and stays on the page', async ({ page }) => {
    const { viewer, path } = await open(page)
    await page.goBack()
    await expect(viewer).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expect(buyButton(page)).toBeEnabled()
  })
})

test('a buyer can buy several units, but not more than are left', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '4', price: '12.50' })
  await page.goto(path)
  const quantity = page.getByLabel('Quantity').filter({ visible: true })
  await expect(quantity.locator('option')).toHaveText(['1', '2', '3', '4'])
  await quantity.selectOption('3')
  await expect(buyButton(page)).toHaveText('Buy 3 – $37.50')
  await buyButton(page).click()
  await expect(page.getByRole('heading', { name: /^Pay/ })).toBeVisible()
  expect(await stockOf(shop, drop.id)).toMatchObject({ held: 3 })
})

for (const minutes of [-5, 5]) {
  test(`a phone whose clock is ${minutes} minutes off shows the correct remaining time`, async ({
    page,
    shop,
    drop,
    path,
  }) => {
    await moveEnd(shop, drop.id, 2 * 3600)
    await page.clock.install({ time: Date.now() + minutes * 60_000 })
    await page.goto(path)
    const left = async () => {
      const [hours, mins, secs] = ((await page.getByRole('timer').textContent()) ?? '').match(/\d\d/g) ?? []
      return Number(hours) * 3600 + Number(mins) * 60 + Number(secs)
    }
    const off = async () => {
      const shown = await left()
      const text = 'SELECT extract(epoch FROM "endTime" - clock_timestamp())::float8 AS s FROM "Drop" WHERE "id" = $1'
      const [row] = await shop.query<{ s: number }>(text, [drop.id])
      return Math.abs(shown - row!.s)
    }
    await expect.poll(off).toBeLessThan(1.5)
    // The phone's clock moves by an hour, while the server's clock does not.
    await page.clock.fastForward(3_600_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(off).toBeLessThan(1.5)
  })
}

test('the event stream shows the checkout of another buyer on the page while polling fails', async ({ page }) => {
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '5' })
  const stream = page.waitForResponse(`**/api${path}/events`)
  await page.goto(path)
  expect((await stream).headers()['content-type']).toContain('text/event-stream')
  await expect(page.getByText('5 of 5 left')).toBeVisible()
  // From here on polling fails, so only the event stream can bring the change.
  await page.route(`**/api${path}`, (route) => route.abort())
  await openCheckout(shop, drop.id)
  await expect(page.getByText('4 of 5 left, 1 in checkout')).toBeVisible()
})

test('without the event stream, polling shows the checkout of another buyer', async ({ page }) => {
  await page.route('**/events', (route) => route.abort())
  const { shop, drop, path } = await createSellerAndDrop({ quantity: '5' })
  await page.goto(path)
  await expect(page.getByText('5 of 5 left')).toBeVisible()
  await openCheckout(shop, drop.id)
  await expect(page.getByText('4 of 5 left, 1 in checkout')).toBeVisible({ timeout: 15_000 })
})

test.describe("inside another app's browser", () => {
  const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  test.use({ userAgent: `${IPHONE} Mobile/22B83 Instagram 355.1.0.32.90 (iPhone16,1)` })

  test('a hint is shown, can be dismissed, and does not cover the buy button', async ({ page, path }) => {
    await page.goto(path)
    const hint = page.getByRole('complementary', { name: 'Open in your browser' })
    await expect(hint).toContainText("You're in Instagram.")
    await buyButton(page).click({ trial: true })
    await hint.getByRole('button', { name: 'Dismiss' }).click()
    await expect(hint).toHaveCount(0)
    await page.reload()
    await expect(buyButton(page)).toBeEnabled()
    await expect(hint).toHaveCount(0)
  })
})

test.describe("leaving another app's browser", () => {
  const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
  test.use({
    userAgent: `${IPHONE} Mobile/22B83 Instagram 355.1.0.32.90 (iPhone16,1)`,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const wayOut = (page: Page) => page.getByRole('button', { name: 'Open in your browser' })
  const outcomes = (page: Page) => {
    const seen: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.endsWith('/leave')) seen.push(search)
    })
    return seen
  }

  test('without a tap nothing is sent, and if the app stays open after the tap, the link is copied with its source', async ({
    page,
  }) => {
    const { shop, path } = await createSellerAndDrop()
    const seen = outcomes(page)
    await page.goto(path)
    await expect(wayOut(page)).toBeVisible()
    await page.clock.install()
    await page.clock.runFor(5_000)
    expect(seen).toEqual([])
    await wayOut(page).click()
    await page.clock.runFor(1_000)
    await expect(page.getByText('Open your browser and paste the link there.', { exact: true })).toBeVisible()
    expect(await copied(page)).toBe(`${shop.url}${path}?utm_source=instagram`)
    await expect.poll(() => seen).toEqual(['?app=instagram&outcome=copied'])
  })

  test('a page that goes to the background after the tap is reported as opened', async ({ page, path }) => {
    const seen = outcomes(page)
    await page.goto(`${path}?utm_source=bio`)
    await wayOut(page).click()
    await page.evaluate(() => window.dispatchEvent(new Event('pagehide')))
    await expect.poll(() => seen).toEqual(['?app=instagram&outcome=opened'])
  })

  test('for a buyer with an open checkout, the link of the checkout is copied', async ({ page, path }) => {
    await openHydrated(page, path)
    await buyButton(page).click()
    await expect(page.getByRole('heading', { name: /^Pay \$/ })).toBeVisible()
    const paymentPage = page.url()
    await page.goto(path)
    await wayOut(page).click()
    await expect(page.getByText('Open your browser and paste the link there.', { exact: true })).toBeVisible()
    expect(await copied(page)).toBe(paymentPage)
  })
})

test.describe('remind me', () => {
  test('a visitor to an ended drop can join the reminder list, confirm the email address and unsubscribe', async ({
    page,
  }) => {
    const { shop, drop, path } = await createSellerAndDrop()
    await moveEnd(shop, drop.id, -60)
    await page.goto(path)
    const email = `${uniqueName('wait')}@example.com`
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Remind me' }).click()
    await expect(page.getByText('Check your inbox')).toBeVisible()
    const [mail] = await mailTo(shop, email)
    await page.goto(/https?:\S+\/remind\/confirm\S+/.exec(mail!.text)![0])
    await page.getByRole('button', { name: 'Yes, remind me' }).click()
    await expect(page.getByRole('heading', { name: "You're on the list" })).toBeVisible()
    await page.goto(/https?:\S+\/remind\/stop\S+/.exec(mail!.text)![0])
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await expect(page.getByRole('heading', { name: "You're unsubscribed" })).toBeVisible()
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })
    test('the reminder form works', async ({ page, shop, drop, path }) => {
      await moveEnd(shop, drop.id, -60)
      await page.goto(path)
      const email = `${uniqueName('wait')}@example.com`
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByRole('button', { name: 'Remind me' }).click()
      await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
      expect(await mailTo(shop, email)).toHaveLength(1)
    })
  })
})

test('the page of a removed drop returns 410 and says that there is no such drop', async ({
  page,
  shop,
  drop,
  path,
}) => {
  await shop.query(`UPDATE "Drop" SET "hiddenAt" = now(), "isActive" = false WHERE "id" = $1`, [drop.id])
  const answer = await page.goto(path)
  expect(answer!.status()).toBe(410)
  await expect(page.getByRole('heading', { name: 'Drop Not Found' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Browse Other Drops' })).toBeVisible()
  expect((await fetch(`${shop.url}/api${path}`)).status).toBe(404)
  expect((await fetch(`${shop.url}/replaced`)).status).toBe(404)
})

test('a title with markup is shown as text', async ({ page }) => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const title = `</script><script>window.hurt = 1</script> <b>\u202Eback\u202C 💥 & "co"`
  const drop = await createDrop(shop, seller, { title, description: `]]><img src=x onerror="window.hurt=1">` })
  await page.goto(`/drop/${drop.identifier}`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('<b>')
  expect(await page.evaluate(() => 'hurt' in window)).toBe(false)
  const jsonLd = await page.locator('script[type="application/ld+json"]').textContent()
  expect(jsonLd).not.toContain('<')
  expect(JSON.parse(jsonLd!)).toMatchObject({
    '@type': 'Product',
    name: drop.title,
    offers: { price: '24.00', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
  })
})

test('fourteen crawlers get the same meta tags', async ({ shop, path }) => {
  const agents = [
    'WhatsApp/2.24.20.89 A',
    'TelegramBot (like TwitterBot)',
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'Twitterbot/1.0',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
    'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
    'SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'http.rb/5.1.1 (Mastodon/4.2.0; +https://mastodon.social/) Bot',
  ]
  const heads = new Set<string>()
  for (const agent of agents) {
    const html = await (await fetch(shop.url + path, { headers: { 'user-agent': agent } })).text()
    const head = html.slice(0, html.indexOf('</head>'))
    heads.add((head.match(/<(?:meta|title|link rel="canonical")[^>]*>/g) ?? []).join('\n'))
  }
  expect(heads.size).toBe(1)
  expect([...heads][0]).toContain('og:image')
})

for (const identifier of ['..%2f..%2fetc%2fpasswd', 'a%2fb', '%00', 'a'.repeat(10_000), '%E2%80%AE', '%3Cscript%3E']) {
  test(`/drop/${identifier.slice(0, 24)} returns a client error`, async () => {
    const { url } = testedApp()
    for (const path of [`/drop/${identifier}`, `/api/drop/${identifier}`, `/api/drop/${identifier}/events`]) {
      const answer = await fetch(url + path, { redirect: 'manual' })
      expect(answer.status, path.slice(0, 60)).toBeGreaterThanOrEqual(400)
      expect(answer.status, path.slice(0, 60)).toBeLessThan(500)
      expect(await answer.text()).not.toContain('<script>alert')
    }
  })
}

test.describe('sharing', () => {
  type Shared = { title?: string; url?: string }

  /** Opens a drop and taps Share. The share sheet behaves as `sheet` says, and copying works only with `canCopy`. */
  async function openWith(page: Page, sheet: 'works' | 'fails' | 'is closed' | 'is missing', canCopy = true) {
    await page.addInitScript(
      ([outcome, hasClipboard]) => {
        const shared: Shared[] = []
        const copied: string[] = []
        Object.assign(window, { shared, copied })
        const share = (data: Shared) => {
          shared.push(data)
          if (outcome === 'works') return Promise.resolve()
          const name = outcome === 'is closed' ? 'AbortError' : 'NotAllowedError'
          return Promise.reject(new DOMException('', name))
        }
        if (outcome === 'is missing') delete (Navigator.prototype as { share?: unknown }).share
        else Object.defineProperty(Navigator.prototype, 'share', { value: share, configurable: true })
        const writeText = (text: string) =>
          hasClipboard ? Promise.resolve(void copied.push(text)) : Promise.reject(new Error('denied'))
        Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
      },
      [sheet, canCopy] as const,
    )
    const { shop, drop, path } = await createSellerAndDrop()
    await page.goto(path)
    await expect(page.getByRole('timer')).toBeVisible()
    await expect(async () => {
      await page.getByRole('button', { name: 'Share' }).click()
      expect(await readShared(page)).not.toEqual({ shared: [], copied: [] })
    }).toPass()
    return { drop, url: shop.url + path }
  }

  const readShared = (page: Page) =>
    page.evaluate(() => {
      const shared = Reflect.get(window, 'shared') as Shared[]
      const copied = Reflect.get(window, 'copied') as string[]
      return { shared: shared.slice(-1), copied: copied.slice(-1) }
    })

  test('the button opens the share sheet of the phone with title and link', async ({ page }) => {
    const { drop, url } = await openWith(page, 'works')
    expect(await readShared(page)).toEqual({ shared: [{ title: drop.title, url }], copied: [] })
    await expect(page.getByText('Link copied!')).toHaveCount(0)
  })

  for (const sheet of ['fails', 'is missing'] as const) {
    test(`the link is copied when the share sheet ${sheet}`, async ({ page }) => {
      const { url } = await openWith(page, sheet)
      await expect(page.getByText('Link copied!').first()).toBeVisible()
      expect((await readShared(page)).copied).toEqual([url])
    })
  }

  test('closing the share sheet shows no message', async ({ page }) => {
    await openWith(page, 'is closed')
    expect((await readShared(page)).copied).toEqual([])
    await expect(page.getByText('Link copied!')).toHaveCount(0)
  })

  test('a message explains what to do when copying fails', async ({ page }) => {
    await openWith(page, 'fails', false)
    await expect(page.getByText('Copy failed').first()).toBeVisible()
    await expect(page.getByText('Please copy the link manually').first()).toBeVisible()
  })
})
