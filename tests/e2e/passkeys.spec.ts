// Tests passkeys on a phone, with the virtual authenticator of Chromium.
import { type CDPSession, expect, type Page } from '@playwright/test'
import { expectGoodScreen } from '../support/screen-checks'
import { createSellerAndDrop, freshAddress, mailTo, type Seller, signIn, signUp, testedApp } from '../support/e2e'
import { test } from '../support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

type Authenticator = { cdp: CDPSession; authenticatorId: string }

/**
 * Adds a virtual authenticator that has a screen lock and approves every request right away. It would also choose the
 * suggestion of the username field, so the browser makes no such suggestions unless a test wants them.
 */
async function withAuthenticator(page: Page, { suggests = false } = {}): Promise<Authenticator> {
  if (!suggests) {
    await page.addInitScript(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    })
  }
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

async function openAccount(page: Page): Promise<Seller> {
  const seller = await signUp(testedApp())
  await signIn(page.context(), seller)
  await page.goto('/account')
  return seller
}

/** Adds the first passkey of an account in its settings. @returns a recovery code */
async function addFirst(page: Page, seller: Seller): Promise<string> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const codes = page.getByText(/^\w{4}-\w{4}-\w{4}$/)
  await expect(codes).toHaveCount(10)
  const code = await codes.first().innerText()
  await page.getByRole('button', { name: "I've saved them" }).click()
  await expect(page.getByText(/^Added .*, not used yet$/)).toBeVisible()
  return code
}

async function logInWithPasskey(page: Page): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/login?redirect=/orders')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
}

const isSignedIn = (page: Page) => expect(page).toHaveURL(/^[^?]*\/orders$/)
const isRefused = (page: Page) =>
  expect(page.getByText("That passkey didn't work. Please try again, or choose another way.")).toBeVisible()

test.beforeEach(({ context }) => context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() }))

test('a seller adds a passkey and signs in with it alone, without typing anything', async ({ page }) => {
  const seller = await openAccount(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password', { exact: true }).fill('a guess')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText("That password isn't right.", { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  const { cdp, authenticatorId } = await withAuthenticator(page, { suggests: true })
  await addFirst(page, seller)
  await expect(page.getByText('10 recovery codes left.')).toBeVisible()
  const subjects = (await mailTo(testedApp(), seller.email)).map((mail) => mail.subject)
  expect(subjects).toContain('A passkey was added to your account')
  // The passkey that the username field suggests is not chosen here. Pressing the button replaces that request.
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false })
  await page.context().clearCookies()
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      if (options?.mediation === 'conditional') Reflect.set(window, 'lastcallSuggests', true)
      return get(options)
    }
  })
  await page.goto('/login?redirect=/orders')
  await page.waitForFunction(() => Reflect.get(window, 'lastcallSuggests') === true)
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: true })
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await isSignedIn(page)
  await page.goto('/account')
  await expect(page.getByText(/^Added .*, last used/)).toBeVisible()
})

test('the username field suggests passkeys, and choosing one signs in', async ({ page }) => {
  const seller = await openAccount(page)
  await withAuthenticator(page, { suggests: true })
  await addFirst(page, seller)
  await page.context().clearCookies()
  await page.goto('/login?redirect=/orders')
  await isSignedIn(page)
})

test('signing in with a password also requires a passkey or a recovery code', async ({ page }) => {
  const seller = await openAccount(page)
  await withAuthenticator(page)
  const code = await addFirst(page, seller)
  const enterPassword = async () => {
    await page.context().clearCookies()
    await page.goto('/login?redirect=/orders')
    await page.getByLabel('Username').fill(seller.username)
    await page.getByLabel('Password', { exact: true }).fill(seller.password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
  }
  await enterPassword()
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await isSignedIn(page)
  await enterPassword()
  await page.getByLabel('Recovery code').fill('123456')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText("That code isn't right. Please enter a new one.")).toBeVisible()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await isSignedIn(page)
})

test('a passkey is renamed, and removed after a step-up with it', async ({ page }) => {
  const seller = await openAccount(page)
  await withAuthenticator(page)
  await addFirst(page, seller)
  await page.getByRole('button', { name: /^Rename/ }).click()
  const name = page.getByLabel('Passkey name')
  await name.fill(' ')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Please enter a name for this passkey.')).toBeVisible()
  await name.fill('Blue phone')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByRole('listitem').filter({ hasText: 'Blue phone' })
  await expect(row).toBeVisible()
  await testedApp().query(`UPDATE "Session" SET "stepUpAt" = NULL WHERE "userId" = $1`, [seller.id])
  await page.getByRole('button', { name: 'Remove Blue phone' }).click()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByText('Passkey removed', { exact: true })).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(page.getByText('signing in also asks for a code from an authenticator app')).toBeVisible()
  await logInWithPasskey(page)
  await isRefused(page)
})

test('an administrator confirms with a passkey before a drop is ended and before all drops are extended', async ({
  page,
}) => {
  const { drop, path } = await createSellerAndDrop()
  const admin = await openAccount(page)
  await withAuthenticator(page)
  await addFirst(page, admin)
  await testedApp().query(`UPDATE "User" SET "isAdmin" = true WHERE "id" = $1`, [admin.id])
  await testedApp().query(`UPDATE "Session" SET "stepUpAt" = NULL WHERE "userId" = $1`, [admin.id])
  await page.goto('/admin?tab=settings')
  await page.getByRole('button', { name: 'Extend all' }).click()
  await page.getByLabel('Type EXTEND to confirm').fill('extend')
  await page.getByRole('dialog').getByRole('button', { name: 'Extend all' }).click()
  const asked = page.getByRole('dialog', { name: "Confirm that it's you" })
  // The drops are not extended here, because other tests of this run wait for the end of theirs.
  await expectGoodScreen(page, 'confirming before all drops are extended')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(
    page.getByText("Please enter your two-factor code to confirm that it's you.", { exact: true }),
  ).toBeVisible()

  await page.goto('/admin?tab=drops')
  await page.getByPlaceholder('Search drops...').fill(drop.title)
  await page.getByRole('button', { name: `Manage ${drop.title}` }).click()
  await page.getByRole('button', { name: 'End now' }).click()
  await asked.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Drop updated successfully' }).first()).toBeVisible()
  const { state } = (await (await page.request.get(`/api${path}`)).json()) as { state: string }
  expect(state).toBe('ended')
})

test('the screens of passkeys have no violation in either theme, no small tap targets and no overflow', async ({
  page,
}) => {
  const seller = await openAccount(page)
  await withAuthenticator(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password', { exact: true }).waitFor()
  await expectGoodScreen(page, 'adding a passkey')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await addFirst(page, seller)
  await page.getByRole('button', { name: /^Rename/ }).click()
  await expectGoodScreen(page, 'renaming a passkey')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await testedApp().query(`UPDATE "Session" SET "stepUpAt" = NULL WHERE "userId" = $1`, [seller.id])
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).waitFor()
  await expectGoodScreen(page, 'confirming with a passkey')
  await page.context().clearCookies()
  const account = { email: seller.email, password: seller.password }
  await page.request.post('/api/auth/login', { data: account })
  await page.goto('/two-factor')
  await expectGoodScreen(page, 'a passkey as the second step')
})

test('a signature of a passkey is refused when it is sent again, and a copy with an older counter is refused', async ({
  page,
}) => {
  const seller = await openAccount(page)
  const { cdp, authenticatorId } = await withAuthenticator(page)
  await addFirst(page, seller)
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
  const asked = page.waitForRequest('**/api/auth/passkey')
  await logInWithPasskey(page)
  const sent = await asked
  const { cookie = '', 'content-type': type = '' } = await sent.allHeaders()
  await isSignedIn(page)
  const again = await fetch(`${testedApp().url}/api/auth/passkey`, {
    method: 'POST',
    headers: { cookie, 'content-type': type },
    body: sent.postData() ?? '',
  })
  expect([again.status, await again.json()]).toMatchObject([403, { code: 'PASSKEY_REFUSED' }])
  // A thief who copied the passkey before its last use signs with an older counter.
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  const [copy] = credentials
  if (!copy) throw new Error('the authenticator has no passkey')
  await cdp.send('WebAuthn.addCredential', { authenticatorId, credential: { ...copy, signCount: 0 } })
  await logInWithPasskey(page)
  await isRefused(page)
})

test('the passkey of a deleted account signs nobody in', async ({ page }) => {
  const seller = await openAccount(page)
  await withAuthenticator(page)
  await addFirst(page, seller)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel(`Type ${seller.username} to confirm`).fill(seller.username)
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(seller.password)
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page).toHaveURL(/\/$/)
  await logInWithPasskey(page)
  await isRefused(page)
})

test('without JavaScript the login page hides the passkey button, which could not work', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${testedApp().url}/login`)
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await expect(page.getByText('Use a passkey')).toBeHidden()
  await context.close()
})
