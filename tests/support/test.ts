import { test as base } from '@playwright/test'
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

/**
 * Playwright's `test` with what most browser tests need. A test gets only what it names. A test that names none of
 * `seller`, `drop`, `path` and `sale` creates no seller. After each test, the drops of every seller that it created are
 * taken off sale and out of all lists, so that later tests do not find these drops.
 */
export const test = base.extend<Fixtures>({
  shop: async ({ baseURL }, provide) => provide({ ...testedApp(), ...(baseURL ? { url: baseURL } : {}) }),
  sale: async ({ shop }, provide) => {
    const seller = await signUp(shop)
    await provide({ seller, drop: await createDrop(shop, seller) })
  },
  seller: async ({ sale }, provide) => provide(sale.seller),
  drop: async ({ sale }, provide) => provide(sale.drop),
  path: async ({ drop }, provide) => provide(`/drop/${drop.identifier}`),
  cleaned: [
    async ({ shop }, provide) => {
      await provide()
      await hideSales(shop)
    },
    { auto: true },
  ],
})
