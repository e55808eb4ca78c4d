// Checks the screens that few people ever see (tests/screens/rare-screens.ts): recaps, claims, disputes, discount codes
// that are refused, payouts on hold, and what administrators confirm.
import { type Page, test } from '@playwright/test'
import { createShop } from '../screens/create-shop.mjs'
import { rareScreens } from '../screens/rare-screens'
import { logIn } from '../screens/open-screen.mjs'
import { hideSales, testedApp } from '../support/e2e'
import { expectGoodScreen } from '../support/screen-checks'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

// Some screens share a seller, whose drops must stay until the last of them.
test.afterAll(() => hideSales(testedApp()))

async function open(page: Page, { as, enter, path, act }: (typeof rareScreens)[number]): Promise<void> {
  const { url } = testedApp()
  if (as) await logIn(page.context(), url, as)
  await enter?.(page.context())
  await page.goto(typeof path === 'string' ? path : await path(createShop(url)))
  await act?.(page)
}

for (const screen of rareScreens) {
  test(`${screen.name}: the screen has no violation in either theme, no small tap targets and no overflow`, async ({
    page,
  }) => {
    await open(page, screen)
    await expectGoodScreen(page, screen.name)
  })
}
