// Lists screens in states that the demo data does not have. Each of them creates the sellers, drops or orders that it
// needs.
import type { BrowserContext, Page } from '@playwright/test'
import {
  buy,
  createSellerAndDrop,
  type DropFields,
  type Seller,
  signIn,
  signUp,
  testedApp,
  uniqueName,
} from '../support/e2e'
import { mailedLink } from '../support/mailed-link'
import { makeClaim } from '../support/make-claim'
import { until } from '../support/until'
import { once } from './once'
import type { Screen } from './open-screen.mjs'

const enterAs = (made: () => Promise<Seller>) => async (context: BrowserContext) => signIn(context, await made())

async function boughtOrder(fields: DropFields) {
  const made = await createSellerAndDrop({ title: 'Riso print “Low sun”', quantity: '12', ...fields }, { plan: 'pro' })
  await buy(made.shop, made.drop.id)
  const [order] = await made.shop.query<{ id: string; token: string }>(
    'SELECT "id", "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [made.drop.id],
  )
  return { ...made, id: order!.id, order: `/o/${order!.token}` }
}

const numbered = once(() => boughtOrder({ isNumbered: 'true' }))
const keyed = once(() =>
  boughtOrder({ productType: 'digital', keys: 'GAME-7F2K\nGAME-99XA\nGAME-B3QQ', quantity: '3' }),
)
const late = once(async () => {
  const made = await boughtOrder({ shipsFrom: 'DE', shipsWithin: '7' })
  const shipsBy = `date_trunc('day', now()) - interval '3 days'`
  await made.shop.query(`UPDATE "Order" SET "shipsBy" = ${shipsBy} WHERE "id" = $1`, [made.id])
  await until('question', async () => (await (await fetch(made.shop.url + made.order)).text()).includes('want to wait'))
  return made
})
const zones = JSON.stringify([
  { surcharge: '0', countries: ['US'] },
  { surcharge: '6.00', countries: ['DE', 'FR'] },
])
const zoned = once(() => createSellerAndDrop({ title: 'Screen print', shippingZones: zones, quantity: '8' }))

const early = once(async () => {
  const start = { startsAt: new Date(Date.now() + 40 * 3_600_000).toISOString(), earlyMinutes: '60' }
  const made = await createSellerAndDrop({ title: 'Ink bottle', quantity: '20', ...start }, { plan: 'pro' })
  const email = `${uniqueName('fan')}@example.com`
  await made.shop.query(
    `INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
     VALUES ($1, $2, $2, $2, now(), '/', 'yes')`,
    [made.seller.id, email],
  )
  await made.shop.query(
    `UPDATE "Drop" SET "startedAt" = now() + interval '30 minutes', "endTime" = now() + interval '30 minutes'
            + make_interval(hours => "duration") WHERE "id" = $1`,
    [made.drop.id],
  )
  return { ...made, link: await mailedLink(made.shop, email, /https?:\/\/\S+\?early=[\w-]+/) }
})

const openInSizes = once(() =>
  createSellerAndDrop({
    ...{ title: 'Linen work shirt', price: '64.00', isOpenEdition: 'true' },
    ...{ optionName: 'Size', options: 'XS, S, M, L, XL', quantity: '300' },
  }),
)

const claimed = once(() => makeClaim({ title: 'Celadon bowl' }))

const secured = once(() => signUp(testedApp()))
const fresh = once(() => signUp(testedApp(), { plan: 'pro' }))
const atLimit = once(async () => (await createSellerAndDrop()).seller)

async function addPasskey(page: Page, seller: Seller): Promise<void> {
  // The authenticator would also choose the suggestion of the username field.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
  })
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  })
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page
    .getByText(/^\w{4}-\w{4}-\w{4}$/)
    .first()
    .waitFor()
}

const pauseAll = (isOn: boolean) => () => testedApp().query(`UPDATE "PlatformSettings" SET "isActive" = $1`, [!isOn])

export const stateScreens: Screen[] = [
  { name: 'drop-zones', path: async () => (await zoned()).path },
  {
    name: 'drop-zones-chosen',
    path: async () => (await zoned()).path,
    act: async (page) => {
      await page.getByLabel('Ship to').selectOption({ label: 'Germany, +$6.00' })
      await page.getByText('Buy – $30.00').filter({ visible: true }).first().waitFor()
    },
  },
  { name: 'drop-early-follower', path: async () => (await early()).link },
  { name: 'drop-early-public', path: async () => (await early()).path },
  { name: 'drop-open-edition', path: '/drop/b-sides' },
  { name: 'drop-open-options', path: async () => (await openInSizes()).path },
  {
    name: 'dashboard-open-options',
    path: '/',
    enter: enterAs(async () => (await openInSizes()).seller),
  },
  { name: 'drop-runs', path: '/drop/low-sun/runs' },
  { name: 'drop-numbered', path: async () => (await numbered()).path },
  { name: 'drop-edition', path: async () => `${(await numbered()).path}/edition` },
  { name: 'drop-canceled', path: '/drop/low-sun#checkout-canceled' },
  { name: 'claim', path: async () => (await claimed()).claim },
  {
    name: 'drop-claimed',
    path: async () => (await claimed()).claim,
    act: async (page) => {
      await page.getByRole('timer').waitFor()
      await page.goto((await claimed()).path)
      await page.getByRole('link', { name: 'Buy yours now' }).first().waitFor()
    },
  },
  { name: 'order-numbered', path: async () => (await numbered()).order },
  { name: 'order-key', path: async () => (await keyed()).order },
  {
    name: 'order-key-shown',
    path: async () => (await keyed()).order,
    act: async (page) => {
      const show = page.getByRole('button', { name: 'Show my key' })
      if (await show.isVisible()) await show.click()
      await page.getByText(/^GAME-/).waitFor()
    },
  },
  { name: 'order-late', path: async () => (await late()).order },
  {
    name: 'orders-late',
    path: async () => `/orders/${(await late()).id}`,
    enter: enterAs(async () => (await late()).seller),
  },
  { name: 'create-at-limit', path: '/create', enter: enterAs(atLimit) },
  {
    name: 'create-zones',
    path: '/create',
    enter: enterAs(fresh),
    act: async (page) => {
      await page.getByText('Where you ship: everywhere, included in the price').click()
      await page.getByRole('button', { name: 'Choose countries' }).click()
    },
  },
  {
    name: 'create-open-options',
    path: '/create',
    enter: enterAs(fresh),
    act: async (page) => {
      await page.locator('summary').filter({ hasText: 'Limited edition, not numbered' }).click()
      await page.getByRole('radio', { name: 'Open As many' }).check({ force: true })
      await page.locator('summary').filter({ hasText: 'Sizes, colors or other choices' }).click()
      await page.getByLabel('Choices', { exact: true }).fill('S, M, L, XL')
    },
  },
  {
    name: 'create-shipping',
    path: '/create',
    enter: enterAs(fresh),
    act: async (page) => {
      await page.locator('summary').filter({ hasText: 'No shipping promise' }).click()
      await page.getByLabel('Condition').selectOption('used')
    },
  },
  {
    name: 'create-scheduled',
    path: '/create',
    enter: enterAs(fresh),
    act: async (page) => {
      await page.locator('summary').filter({ hasText: 'Starts now' }).click()
      await page.getByText('Later', { exact: true }).click()
    },
  },
  { name: 'dashboard-empty', path: '/', enter: enterAs(fresh) },
  { name: 'payouts-empty', path: '/payouts', enter: enterAs(fresh) },
  {
    name: 'account-two-factor',
    path: '/account',
    enter: enterAs(secured),
    act: async (page) => {
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByLabel('Your password', { exact: true }).fill((await secured()).password)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByAltText('QR code for your authenticator app').waitFor()
    },
  },
  (() => {
    const made: Seller[] = []
    const enter = async (context: BrowserContext) => {
      made.push(await signUp(testedApp()))
      await signIn(context, made.at(-1)!)
    }
    return { name: 'account-passkey', path: '/account', enter, act: (page) => addPasskey(page, made.at(-1)!) }
  })(),
  (() => {
    const made: Seller[] = []
    const enter = async (context: BrowserContext) => {
      made.push(await signUp(testedApp()))
      await signIn(context, made.at(-1)!)
    }
    return {
      name: 'two-factor',
      path: '/account',
      enter,
      act: async (page) => {
        const seller = made.at(-1)!
        await addPasskey(page, seller)
        await page.getByRole('button', { name: "I've saved them" }).click()
        await page.getByText(/^Added .*, not used yet$/).waitFor()
        await page.context().clearCookies()
        await page.goto('/login')
        await page.getByLabel('Username').fill(seller.username)
        await page.getByLabel('Password', { exact: true }).fill(seller.password)
        await page.getByRole('button', { name: 'Sign In' }).click()
        await page.waitForURL('**/two-factor')
      },
    }
  })(),
  {
    name: 'platform-paused',
    path: '/',
    enter: async () => {
      await pauseAll(true)()
      await until('pause', async () => (await fetch(`${testedApp().url}/`)).status === 503)
    },
    leave: pauseAll(false),
  },
]
