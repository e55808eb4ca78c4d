// Checks the accessibility and the layout of the drop page in several states, and of the pages around it.
import { expect, type Page } from '@playwright/test'
import {
  moveEnd,
  freshAddress,
  openCheckout,
  createSellerAndDrop,
  pay,
  postJson,
  type Seller,
  signIn,
  signUp,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { mailedLink } from '../support/mailed-link'
import { drawing } from '../support/photos'
import { expectGoodScreen, expectHydrated, openHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/**
 * Makes an ended drop with one sold unit and a seller who uses auto-renew, and marks its run as the archive job would.
 */
async function makeReturningDrop(): Promise<{ path: string; seller: Seller }> {
  const { shop, seller, drop, path } = await createSellerAndDrop()
  await pay((await openCheckout(shop, drop.id)).body.url!, `${uniqueName('bea')}@example.com`)
  await expect
    .poll(async () => (await shop.query<{ sold: number }>('SELECT "sold" FROM "Drop" WHERE "id" = $1', [drop.id]))[0])
    .toEqual({ sold: 1 })
  await moveEnd(shop, drop.id, -3600)
  await shop.query(`UPDATE "User" SET "autoRenewDrops" = true WHERE "id" = $1`, [seller.id])
  await shop.query(`UPDATE "Drop" SET "archivedAt" = "endTime", "isActive" = false WHERE "id" = $1`, [drop.id])
  await shop.query(`UPDATE "DropRun" SET "renewDueAt" = now() + interval '23 hours' WHERE "dropId" = $1`, [drop.id])
  return { path, seller }
}

/** Makes an ended drop and asks for a reminder. Returns the paths of the links in the email and of the drop. */
async function askedToBeReminded(): Promise<{ confirm: string; stop: string; path: string }> {
  const { shop, drop, path } = await createSellerAndDrop()
  await moveEnd(shop, drop.id, -60)
  const email = `${uniqueName('wait')}@example.com`
  expect((await postJson(`${shop.url}/api${path}/remind`, { email })).status).toBeLessThan(300)
  const link = (step: string) => mailedLink(shop, email, new RegExp(`https?:\\S+/remind/${step}\\S+`))
  return { confirm: await link('confirm'), stop: await link('stop'), path }
}

/** Asks to follow a seller. Returns the paths of the links in the email. */
async function askedToFollow(): Promise<{ confirm: string; stop: string }> {
  const shop = testedApp()
  const { username } = await signUp(shop)
  const email = `${uniqueName('fan')}@example.com`
  const body = new URLSearchParams({ email, from: 'profile' })
  const headers = { 'x-forwarded-for': freshAddress() }
  await fetch(`${shop.url}/profile/${username}/follow`, { method: 'POST', body, headers, redirect: 'manual' })
  const link = (step: string) => mailedLink(shop, email, new RegExp(`https?:\\S+/follow/${step}\\S+`))
  return { confirm: await link('confirm'), stop: await link('stop') }
}

const screens: { name: string; open: (page: Page) => Promise<unknown> }[] = [
  {
    name: 'drop, all in checkout',
    open: async (page) => {
      const { shop, drop, path } = await createSellerAndDrop({ quantity: '1' })
      await openCheckout(shop, drop.id)
      await page.goto(path)
      await page.getByRole('heading', { name: 'All in checkout' }).waitFor()
    },
  },
  {
    name: 'drop, paused',
    open: async (page) => {
      const { shop, drop, path } = await createSellerAndDrop()
      await shop.query(`UPDATE "Drop" SET "isActive" = false WHERE "id" = $1`, [drop.id])
      const answer = await page.goto(path)
      expect(answer!.status()).toBe(200)
      await page.getByRole('heading', { name: 'Paused' }).waitFor()
    },
  },
  {
    name: 'drop, removed',
    open: async (page) => {
      const { shop, drop, path } = await createSellerAndDrop()
      await shop.query(`UPDATE "Drop" SET "hiddenAt" = now(), "isActive" = false WHERE "id" = $1`, [drop.id])
      expect((await page.goto(path))!.status()).toBe(410)
    },
  },
  {
    name: 'drop, in review',
    open: async (page) => {
      const { shop, drop, path } = await createSellerAndDrop()
      await shop.query(`UPDATE "Drop" SET "moderation" = 'review' WHERE "id" = $1`, [drop.id])
      await page.goto(path)
      await page.getByRole('heading', { name: 'Not available' }).waitFor()
    },
  },
  {
    name: 'drop, ended and due to return',
    open: async (page) => {
      const { path } = await makeReturningDrop()
      expect((await page.goto(path))!.status()).toBe(200)
      // The page says that the drop has ended and that it will return.
      await page.getByRole('heading', { name: 'Drop Expired' }).waitFor()
      await page.getByText('Coming back').waitFor()
      const html = await page.content()
      expect(html).toContain('availabilityStarts')
    },
  },
  {
    name: 'drop, reminder asked for',
    open: async (page) => {
      const { shop, drop, path } = await createSellerAndDrop()
      await moveEnd(shop, drop.id, -60)
      await page.goto(path)
      // The link in the bottom bar moves the focus to the field.
      await page.getByRole('link', { name: 'Remind me' }).click()
      await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
      await page.keyboard.type(`${uniqueName('wait')}@example.com`)
      await page.keyboard.press('Enter')
      await page.getByText('Check your inbox').waitFor()
    },
  },
  {
    name: 'drop, pictures full screen',
    open: async (page) => {
      const { path } = await createSellerAndDrop({}, { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) })
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Previous photo' })).toBeDisabled()
      // Before the page is hydrated, the link opens the picture itself.
      await expectHydrated(page)
      await page
        .getByRole('link', { name: /: view full screen$/ })
        .first()
        .click()
      await page.getByRole('dialog', { name: 'Photos, full screen' }).waitFor()
    },
  },
  {
    name: 'drop, checkout failed to start',
    open: async (page) => {
      const { path } = await createSellerAndDrop()
      await openHydrated(page, path)
      await page.route('**/create-session', (route) => route.abort())
      await page.getByRole('button', { name: /^Buy/ }).filter({ visible: true }).click()
      await page.getByText('Failed to start checkout').first().waitFor()
    },
  },
  { name: 'reminder, confirmation email sent', open: (page) => page.goto('/remind/sent') },
  { name: 'reminder, confirmation', open: async (page) => page.goto((await askedToBeReminded()).confirm) },
  { name: 'reminder, unsubscribing', open: async (page) => page.goto((await askedToBeReminded()).stop) },
  { name: 'following, confirmation email sent', open: (page) => page.goto('/follow/sent') },
  { name: 'following, confirmation', open: async (page) => page.goto((await askedToFollow()).confirm) },
  { name: 'following, expired link', open: (page) => page.goto('/follow/confirm?token=example') },
  { name: 'following, unsubscribing', open: async (page) => page.goto((await askedToFollow()).stop) },
  {
    name: 'drop, form to follow its seller',
    open: async (page) => {
      const { path } = await askedToBeReminded()
      await page.goto(path)
      await page.getByText(/^Hear about @\w+'s next drop$/).click()
      await page.getByLabel('Your email').waitFor()
    },
  },
  { name: 'find my order', open: (page) => page.goto('/find-order') },
  { name: 'forgot username', open: (page) => page.goto('/forgot-username') },
  {
    name: 'embedded checkout',
    open: async (page) => {
      const { drop } = await createSellerAndDrop()
      await page.goto(`/checkout/${drop.id}`)
      await page.getByLabel('Card number').waitFor()
    },
  },
  {
    name: 'own drop, with its analytics',
    open: async (page) => {
      const { seller, path } = await createSellerAndDrop({}, { plan: 'pro' })
      // Logs in through the API, because a script of the page reads a cookie, and signIn() hides all cookies from
      // scripts.
      const data = { email: seller.username, password: seller.password }
      const login = await page.request.post('/api/auth/login', { data, headers: { 'x-forwarded-for': freshAddress() } })
      expect(login.status()).toBe(200)
      await page.goto(path)
      await page.getByRole('heading', { name: 'Live Analytics' }).waitFor()
    },
  },
  {
    name: 'profile in its seller’s browser',
    open: async (page) => {
      const seller = await signUp(testedApp())
      await signIn(page.context(), seller)
      await page.goto(`/profile/${seller.username}`)
    },
  },
]

for (const { name, open } of screens) {
  test(`${name}: axe finds no violation, and no element is too small or too wide`, async ({ page }) => {
    await open(page)
    await expectGoodScreen(page, name)
  })
}

test('six public pages send no requests to other servers', async ({ page }) => {
  const { shop, seller, path } = await createSellerAndDrop(
    {},
    { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) },
  )
  const strangers: string[] = []
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(shop.url) || /^(?:data|blob):/.test(request.url())
    if (!isOurs) strangers.push(request.url())
  })
  for (const url of ['/', path, `/profile/${seller.username}`, '/terms-of-service', '/login', '/nowhere']) {
    await page.goto(url, { waitUntil: 'networkidle' })
  }
  expect(strangers).toEqual([])
})

test('the landing page, a drop page and a profile hardly shift their layout while they load', async ({ page }) => {
  const { seller, path } = await createSellerAndDrop({}, { pictures: ['ceramic-mug-1', 'ceramic-mug-2'].map(drawing) })
  for (const url of ['/', path, `/profile/${seller.username}`]) {
    await page.goto(url, { waitUntil: 'load' })
    await expect(page.getByRole('button', { name: 'Open help chat' })).toBeVisible()
    const moved = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          // Buffered entries arrive before the page is idle again.
          requestIdleCallback(() => setTimeout(() => resolve(sum), 0))
        }),
    )
    // Pages are painted before their fonts arrive, so a line may become a pixel wider (MAX_SHIFT in
    // bench/lighthouse.mjs).
    expect(moved, url).toBeLessThanOrEqual(0.005)
  }
})

test('title, price, time and stock are visible without scrolling on a small phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  const { shop, drop, path } = await createSellerAndDrop({ title: 'Two lines of a title, as many drops have' })
  await moveEnd(shop, drop.id, 600)
  await page.goto(path)
  const bar = await page.locator('[data-bottom-bar]').boundingBox()
  for (const part of [
    page.getByRole('heading', { level: 1 }),
    page.getByText('$24.00 USD'),
    page.getByRole('timer'),
    page.getByText('3 of 3 left'),
  ]) {
    const box = await part.boundingBox()
    expect(box!.y + box!.height, String(part)).toBeLessThanOrEqual(bar!.y)
  }
  // Screen readers announce this text when it appears.
  await expect(page.getByText('Less than 10 minutes left')).toBeAttached()
})

test('nothing moves for people who prefer reduced motion', async ({ page }) => {
  const { seller, path } = await createSellerAndDrop()
  for (const url of ['/', path, `/profile/${seller.username}`, '/login', '/terms-of-service']) {
    await openHydrated(page, url)
    const moving = await page.evaluate(() => {
      const seconds = (list: string) => Math.max(...list.split(', ').map((time) => Number.parseFloat(time)))
      return [...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationDuration, animationName } = getComputedStyle(element)
        const isMoving =
          seconds(transitionDuration) > 0 || (animationName !== 'none' && seconds(animationDuration) > 0.001)
        return isMoving ? [`${element.tagName} ${element.className} ${transitionDuration} ${animationDuration}`] : []
      })
    })
    expect(moving, url).toEqual([])
  }
})
