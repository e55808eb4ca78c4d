import { type Browser, type BrowserContext, test as base, type TestInfo } from '@playwright/test'
import type { SellerDropView } from '@/lib/drops/view'
import { createDrop, hideSales, type Seller, type Shop, signUp, testedApp } from './e2e'

type Sale = { seller: Seller; drop: SellerDropView }

type Fixtures = {
  /** The application that was started for this run. */
  shop: Shop
  /** A new seller, who has a live drop. */
  seller: Seller
  /** The live drop of `seller`. */
  drop: SellerDropView
  /** The path of the drop's page. */
  path: string
  sale: Sale
  cleaned: void
}

/** The browser of this worker, once a test has needed one. */
let opened: Browser | null = null

/** Prints the address and the first words of each open page, because the pictures of a failure stay on its machine. */
async function printIfFailed(contexts: BrowserContext[], { status, expectedStatus }: TestInfo): Promise<void> {
  if (status === expectedStatus) return
  for (const page of contexts.flatMap((context) => context.pages())) {
    const text = await page.innerText('body', { timeout: 2_000 }).catch((error: Error) => error.message)
    console.log(`Open when the test failed: ${page.url()}\n${text.replaceAll(/\s+/g, ' ').slice(0, 500)}`)
  }
}

/**
 * Playwright's `test` with what most browser tests need. A test gets only what it names. A test that names none of
 * `seller`, `drop`, `path` and `sale` creates no seller. After each test, the drops of every seller that it created are
 * taken off sale and out of all lists, so that later tests do not find these drops.
 */
export const test = base.extend<Fixtures, { browser: Browser }>({
  browser: [
    async ({ browser }, provide) => {
      opened = browser
      await provide(browser)
      opened = null
    },
    { scope: 'worker' },
  ],
  shop: async ({ baseURL }, provide) => provide({ ...testedApp(), ...(baseURL ? { url: baseURL } : {}) }),
  sale: async ({ shop }, provide) => {
    const seller = await signUp(shop)
    await provide({ seller, drop: await createDrop(shop, seller) })
  },
  seller: async ({ sale }, provide) => provide(sale.seller),
  drop: async ({ sale }, provide) => provide(sale.drop),
  path: async ({ drop }, provide) => provide(`/drop/${drop.identifier}`),
  cleaned: [
    async ({ shop }, provide, info) => {
      await provide()
      // The context of the fixture `page` is closed by now. These are the ones that the test itself has opened. Their
      // pages would otherwise go on polling during the next tests.
      const left = opened?.contexts() ?? []
      await printIfFailed(left, info)
      await Promise.all(left.map((context) => context.close()))
      await hideSales(shop)
    },
    { auto: true },
  ],
  context: async ({ context }, provide, info) => {
    await provide(context)
    await printIfFailed([context], info)
  },
})
