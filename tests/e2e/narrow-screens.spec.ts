// Tests that pages fit on narrow screens, with very long words and with the longer texts of another language.
import { expect, type Page } from '@playwright/test'
import { buy, createDrop, createSellerAndDrop, moveEnd, openCheckout, signIn, signUp, testedApp } from '../support/e2e'
import { drawing } from '../support/photos'
import { openHydrated, widthOf } from '../support/screen-checks'
import { test } from '../support/test'
import { expectNothingCut } from '../support/zoomed-screen'

test('pages of visitors, buyers and sellers fit on screens of 320 to 768 px, even with very long words', async ({
  page,
}) => {
  const title = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft mug'
  const shop = testedApp()
  const seller = await signUp(shop, { plan: 'pro' })
  const fields = { title, price: '123456.78', quantity: '1000', description: 'x'.repeat(200) }
  const drop = await createDrop(shop, seller, fields, [drawing(), drawing('ceramic-mug-2')])
  const ended = await createDrop(shop, seller, fields)
  await moveEnd(shop, ended.id, -60)
  const { sessionId, checkoutUrl } = await buy(shop, drop.id)
  const card = (await openCheckout(shop, drop.id)).body.url!
  const expectToFit = async (url: string) => {
    await page.goto(url)
    for (const width of [320, 360, 390, 768]) {
      await page.setViewportSize({ width, height: 640 })
      expect.soft(await widthOf(page), `${url} at ${width} px`).toBeLessThanOrEqual(width)
    }
  }
  const order = /\/o\/[A-Za-z0-9]{43}/.exec(
    await (await fetch(`${shop.url}/success-payment?session_id=${sessionId}`)).text(),
  )
  const legal = ['/privacy-policy', '/terms-of-service', '/prohibited-content', '/offline', '/nowhere']
  const drops = [`/drop/${drop.identifier}`, `/drop/${ended.identifier}`, '/drop/nobody']
  const open = ['/', ...legal, '/login', '/signup', ...drops, card]
  const after = [checkoutUrl, `/success-payment?session_id=${sessionId}`, order![0], `/profile/${seller.username}`]
  const rest = [`/payment-success-breakdown?session_id=${sessionId}`, '/sandbox/mail']
  for (const url of [...open, ...after, ...rest]) await expectToFit(url)
  await signIn(page.context(), seller)
  for (const url of ['/', '/create', '/orders', `/success?drop=${drop.identifier}`]) await expectToFit(url)
})

/** Makes every text of the page about 40 % longer, as German is compared to English. */
function lengthenTexts(page: Page): Promise<void> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode as Text
      const isText = /\p{L}{2}/u.test(node.data) && !node.parentElement?.closest('script, style, noscript, title')
      // A longer text has longer words, too, and not only more of them.
      if (isText)
        node.data = node.data.replace(/\p{L}{2,}/gu, (word) => word + word.slice(0, Math.ceil(word.length * 0.4)))
    }
  })
}

test('with texts that are 40 % longer, nothing is cut off and no page scrolls sideways', async ({ page }) => {
  const { seller, drop, path } = await createSellerAndDrop({ quantity: '3' })
  const look = async (url: string) => {
    await openHydrated(page, url)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await lengthenTexts(page)
    await expectNothingCut(page, url, [false])
  }
  for (const url of ['/', path, `/profile/${seller.username}`, '/login', '/signup', '/find-order', '/nowhere']) {
    await look(url)
  }
  await look(`/checkout/${drop.id}`)
  await signIn(page.context(), seller)
  for (const url of ['/', '/orders', '/payouts', '/account', `/success?drop=${drop.identifier}`]) await look(url)
})
