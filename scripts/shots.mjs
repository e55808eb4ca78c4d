// `npm run shots`: writes a picture of every screen and state to shots/, at 390 and 1280 px, in both themes. It starts
// the application with its demo; SHOTS_URL takes a running one instead, SHOTS_ONLY a part of the names.
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { accountScreens } from './screens/accounts.mjs'
import { adminScreens } from './screens/admin.mjs'
import { checkoutScreens } from './screens/checkout.mjs'
import { orderScreens } from './screens/orders.mjs'
import { sellingScreens } from './screens/selling.mjs'
import { createShop } from './screens/shop.mjs'
import { visitorScreens } from './screens/visitors.mjs'

const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } }
const THEMES = ['light', 'dark']

/** Each screen: a name, who looks (a demo seller's name or nobody), and how to get there. */
const screens = [
  ...visitorScreens,
  ...accountScreens,
  ...sellingScreens,
  ...orderScreens,
  ...checkoutScreens,
  ...adminScreens,
]

/** The page itself and not its waiting room, fonts there, every picture there, also those below the fold. */
async function settle(page) {
  await page.locator('main:not([aria-busy])').waitFor()
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager'
    await document.fonts.ready
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)))
  })
}

async function logIn(context, url, username) {
  const answer = await context.request.post(`${url}/api/auth/login`, {
    data: { email: username, password: 'lastcall-demo' },
  })
  if (!answer.ok()) throw new Error(`${username} cannot log in: ${answer.status()}`)
}

const { chromium } = await import('@playwright/test')
const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = await findBrowser()
const app = process.env.SHOTS_URL ? null : await (await import('../tests/support/app-server.mjs')).startApp()
const url = process.env.SHOTS_URL ?? app.url
const folder = path.resolve('shots')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const browser = await chromium.launch({
  executablePath: CHROMIUM_PATH,
  chromiumSandbox: CHROMIUM_SANDBOX === '1',
  args: ['--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
})
const shop = createShop(url)
const wanted = screens.filter((screen) => screen.name.includes(process.env.SHOTS_ONLY ?? ''))
try {
  for (const [device, viewport] of Object.entries(WIDTHS)) {
    for (const theme of THEMES) {
      for (const screen of wanted) {
        const isPhone = device === 'phone'
        const context = await browser.newContext({
          viewport,
          colorScheme: theme,
          hasTouch: isPhone,
          isMobile: isPhone,
          reducedMotion: 'reduce',
        })
        const page = await context.newPage()
        if (screen.as) await logIn(context, url, screen.as)
        const where = typeof screen.path === 'string' ? screen.path : await screen.path(shop)
        await page.goto(url + where)
        await screen.act?.(page)
        await settle(page)
        const isFirstView = process.env.SHOTS_FOLD === '1'
        await page.screenshot({
          path: path.join(folder, `${screen.name}.${device}.${theme}.png`),
          fullPage: !isFirstView,
        })
        await context.close()
        process.stdout.write('.')
      }
    }
  }
  console.log(`\n${wanted.length * 4} pictures in ${folder}`)
} finally {
  await browser.close()
  await app?.stop()
}
