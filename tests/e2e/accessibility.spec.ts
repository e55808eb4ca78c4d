// Checks most screens of `npm run shots` and some others on a phone. On each screen, axe must find no violation of WCAG
// 2.2 AA in either theme, the tap targets must be large enough, and nothing may be wider than the screen.
// visit-screens.spec.ts checks further states of a drop.
import { expect, type Page } from '@playwright/test'
import {
  buy,
  createDrop,
  openCheckout,
  createSellerAndDrop,
  shippedAndAsked,
  signIn,
  signUp,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { drawing } from '../support/photos'
import { expectGoodScreen, expectHydrated } from '../support/screen-checks'
import { test } from '../support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

type Screen = { name: string; open: (page: Page) => Promise<unknown> }

/** Signs in as a user of the demo. */
async function asDemo(page: Page, username: string): Promise<void> {
  const url = `${testedApp().url}/api/auth/login`
  const answer = await page.request.post(url, { data: { email: username, password: 'lastcall-demo' } })
  expect(answer.status()).toBe(200)
}

const fill = async (page: Page, values: Record<string, string>) => {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value)
}

async function openCard(page: Page): Promise<void> {
  const { shop, drop } = await createSellerAndDrop()
  await page.goto((await openCheckout(shop, drop.id)).body.url!)
}

const buySomething = (): Promise<string> =>
  createSellerAndDrop().then(async ({ shop, drop }) => (await buy(shop, drop.id)).sessionId)

/** Opens the help chat and waits for an answer. */
async function askHelp(page: Page, question: string, answer: string): Promise<void> {
  await expectHydrated(page)
  await page.getByRole('button', { name: 'Open help chat' }).click()
  await page.getByPlaceholder('Ask me anything...').fill(question)
  await page.keyboard.press('Enter')
  await page.getByText(answer).waitFor()
}

const screens: Screen[] = [
  {
    name: 'upgrade dialog',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/?upgrade=true')
      await page.getByRole('heading', { name: 'Choose Your Plan' }).waitFor()
    },
  },
  {
    name: 'subscribe',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/subscribe')
    },
  },
  {
    name: 'payouts',
    open: async (page) => {
      await asDemo(page, 'mira')
      await page.goto('/payouts')
    },
  },
  { name: 'landing', open: (page) => page.goto('/') },
  { name: 'login', open: (page) => page.goto('/login') },
  {
    name: 'login, creating an account with a taken name',
    open: async (page) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'New here? Create an account' }).click()
      await page.getByRole('heading', { name: 'Create account' }).waitFor()
      await page.getByLabel('Username').fill('mira')
      await page.getByText('Available:').waitFor()
    },
  },
  {
    name: 'login refused',
    open: async (page) => {
      await page.goto('/login')
      await fill(page, { Username: 'mira', Password: 'wrong password' })
      await page.getByRole('button', { name: 'Sign In' }).click()
      await page.getByText('Invalid email/username or password').first().waitFor()
    },
  },
  { name: 'signup', open: (page) => page.goto('/signup') },
  { name: 'drop, live', open: (page) => page.goto('/drop/low-sun') },
  { name: 'drop, digital', open: (page) => page.goto('/drop/quiet-light') },
  { name: 'drop, last hours', open: (page) => page.goto('/drop/merino-beanie') },
  { name: 'drop, sold out', open: (page) => page.goto('/drop/small-good-things') },
  { name: 'drop, ended', open: (page) => page.goto('/drop/two-moons') },
  { name: 'drop, not found', open: (page) => page.goto('/drop/nobody-knows') },
  { name: 'not found', open: (page) => page.goto('/nowhere') },
  { name: 'profile', open: (page) => page.goto('/profile/mira') },
  {
    name: 'profile, nothing live',
    open: async (page) => page.goto(`/profile/${(await signUp(testedApp())).username}`),
  },
  { name: 'profile, not found', open: (page) => page.goto('/profile/nobody_knows') },
  { name: 'api', open: (page) => page.goto('/api-docs') },
  { name: 'privacy policy', open: (page) => page.goto('/privacy-policy') },
  { name: 'terms of service', open: (page) => page.goto('/terms-of-service') },
  { name: 'prohibited content', open: (page) => page.goto('/prohibited-content') },
  { name: 'offline', open: (page) => page.goto('/offline') },
  { name: 'refusal: an export without a login', open: (page) => page.goto('/orders/export.csv') },
  { name: 'find order, after asking for links', open: (page) => page.goto('/find-order?sent=1') },
  {
    name: 'help chat',
    open: async (page) => {
      await page.goto('/drop/low-sun')
      await askHelp(page, 'What are your fees?', '3% on Pro')
    },
  },
  ...['', '?tab=users', '?tab=drops', '?tab=settings', '/audit', '/orders', '/events', '/reviews', '/users/2'].map(
    (place) => ({
      name: `panel, /admin${place}`,
      open: async (page: Page) => {
        // Its review card is checked whatever other tests have created.
        if (place === '/reviews') await createDrop(testedApp(), await signUp(testedApp()), { title: 'A hunting rifle' })
        await asDemo(page, 'admin')
        await page.goto(`/admin${place}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
      },
    }),
  ),
  { name: 'report', open: (page) => page.goto('/drop/low-sun/report') },
  { name: 'report of a profile', open: (page) => page.goto('/profile/juno/report') },
  {
    name: 'appeal',
    open: async (page) => {
      await asDemo(page, 'lena_linen')
      await page.goto('/appeal')
    },
  },
  {
    name: 'create',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/create')
    },
  },
  {
    name: 'create, pro, something missing',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp(), { plan: 'pro' }))
      await page.goto('/create')
      await page.getByRole('button', { name: 'Create Drop' }).click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'create, digital',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp(), { plan: 'pro' }))
      await page.goto('/create')
      await page.getByText('Digital', { exact: true }).click()
      await page.getByRole('button', { name: 'Choose a file' }).waitFor()
    },
  },
  {
    name: 'create, filled in',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/create')
      await page.getByLabel('Product Name').fill('Pocket notebook')
      await page.getByLabel('Price').fill('18')
      await page.getByLabel('Add product images').setInputFiles([drawing('ceramic-mug-1'), drawing('poured-candle-1')])
      await page.getByText('2 of 5').waitFor()
    },
  },
  {
    name: 'success',
    open: async (page) => {
      const { seller, drop } = await createSellerAndDrop()
      await signIn(page.context(), seller)
      await page.goto(`/success?drop=${drop.identifier}`)
      await page.getByRole('heading', { name: 'Drop Created!' }).waitFor()
    },
  },
  {
    name: 'dashboard',
    open: async (page) => {
      await asDemo(page, 'mira')
      await page.goto('/')
    },
  },
  {
    name: 'dashboard, pro',
    open: async (page) => {
      await asDemo(page, 'juno')
      await page.goto('/')
    },
  },
  {
    name: 'dashboard, empty',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/')
    },
  },
  {
    name: 'orders',
    open: async (page) => {
      const { shop, seller, drop } = await createSellerAndDrop()
      await buy(shop, drop.id)
      await signIn(page.context(), seller)
      await page.goto('/orders')
      await page.getByRole('link', { name: drop.title }).waitFor()
    },
  },
  {
    name: 'an order being shipped',
    open: async (page) => {
      const { shop, seller, drop } = await createSellerAndDrop()
      await buy(shop, drop.id)
      await signIn(page.context(), seller)
      await page.goto('/orders')
      await page.getByRole('link', { name: drop.title }).click()
      await page.getByRole('button', { name: 'Mark as shipped' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'a refund being declined',
    open: async (page) => {
      const { seller, id } = await shippedAndAsked()
      await signIn(page.context(), seller)
      await page.goto(`/orders/${id}`)
      await page.getByRole('button', { name: 'Decline' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'an order on its way, with a declined request',
    open: async (page) => {
      const { token } = await shippedAndAsked({ answer: 'It left on Monday.' })
      await page.goto(`/o/${token}`)
      await page.getByRole('button', { name: 'My order arrived' }).waitFor()
    },
  },
  {
    name: 'packing slips',
    open: async (page) => {
      const { shop, seller, drop } = await createSellerAndDrop()
      await buy(shop, drop.id)
      await signIn(page.context(), seller)
      await page.goto('/orders/slips')
      await page.getByRole('article').waitFor()
    },
  },
  {
    name: 'tracking numbers, with a problem',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/orders/import')
      await page.getByLabel('Or paste its lines').fill('order,carrier,tracking_number\nNOBODY12,USPS,1')
      await page.getByRole('button', { name: 'Preview changes' }).click()
      await page.getByText("You don't have an order with this number.").waitFor()
    },
  },
  { name: 'card page', open: openCard },
  {
    name: 'card page, nothing filled in',
    open: async (page) => {
      await openCard(page)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'payment success',
    open: async (page) => page.goto(`/success-payment?session_id=${await buySomething()}`),
  },
  {
    name: 'payment summary',
    open: async (page) => {
      await page.goto(`/payment-success-breakdown?session_id=${await buySomething()}`)
      await page.getByRole('button', { name: 'Stay here' }).click()
    },
  },
  { name: 'payment unknown', open: (page) => page.goto('/success-payment?session_id=cs_test_unknown') },
  {
    name: "the buyer's order",
    open: async (page) => {
      await page.goto(`/success-payment?session_id=${await buySomething()}`)
      await page.getByRole('link', { name: 'View your order' }).click()
      await page.getByRole('heading', { name: 'Thanks for your order' }).waitFor()
    },
  },
  { name: 'forgot password', open: (page) => page.goto('/forgot-password') },
  { name: 'reset password', open: (page) => page.goto('/reset-password?token=example') },
  { name: 'confirm email', open: (page) => page.goto('/confirm-email?token=example') },
  {
    name: 'plans, signing up',
    open: async (page) => {
      const name = uniqueName('plans')
      const draft = {
        firstName: 'Ada',
        lastName: '',
        username: name,
        email: `${name}@example.com`,
        password: 'long enough',
      }
      const answer = await page.request.post('/api/auth/signup-draft', { data: draft })
      expect(answer.status()).toBe(200)
      await page.goto('/plans')
    },
  },
  {
    name: 'welcome',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/welcome')
    },
  },
  {
    name: 'account, changing the password',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/account')
      await page.getByRole('button', { name: 'Change', exact: true }).click()
    },
  },
  {
    name: 'account, setting up two-factor',
    open: async (page) => {
      const seller = await signUp(testedApp())
      await signIn(page.context(), seller)
      await page.goto('/account')
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByLabel('Your password', { exact: true }).fill(seller.password)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByAltText('QR code for your authenticator app').waitFor()
    },
  },
  {
    name: 'account, deleting it',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/account')
      await page.getByRole('button', { name: 'Delete my account' }).click()
      await page.getByRole('button', { name: 'Delete permanently' }).click()
      await page.getByText('Please fill in all required fields.').first().waitFor()
    },
  },
  {
    name: 'settings, changing the username',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp(), { plan: 'pro' }))
      await page.goto('/')
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByLabel('New username').fill('mira')
      await page.getByText('Available:').waitFor()
    },
  },
  {
    name: 'edit profile',
    open: async (page) => {
      await signIn(page.context(), await signUp(testedApp()))
      await page.goto('/')
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      await page.getByLabel('Profile image', { exact: true }).setInputFiles([drawing()])
    },
  },
  { name: 'sandbox mailbox', open: (page) => page.goto('/sandbox/mail') },
]

for (const { name, open } of screens) {
  test(`${name}: the screen has no violation in either theme, no small tap targets and no overflow`, async ({
    page,
  }) => {
    await open(page)
    await expectGoodScreen(page, name)
  })
}
