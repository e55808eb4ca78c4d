// Tests accounts on a phone: signing up with a plan, settings, profile, two-factor sign-in, devices and deletion.
import { expect, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { freshAddress, mailTo, type Seller, signIn, signUp, testedApp, uniqueName } from '../support/e2e'
import { drawing } from '../support/photos'
import { test } from '../support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

async function openDashboard(page: Page): Promise<Seller> {
  const seller = await signUp(testedApp())
  await signIn(page.context(), seller)
  await page.goto('/')
  return seller
}

const linkIn = async (address: string, subject: string) => {
  const find = async () => (await mailTo(testedApp(), address)).find((mail) => mail.subject === subject)?.text ?? ''
  await expect.poll(find).toContain('http')
  return /https?:\/\/\S+/.exec(await find())?.[0] ?? ''
}

test('a seller signs up, chooses a plan, sees the checklist and confirms the email address', async ({
  page,
  context,
}) => {
  await context.setExtraHTTPHeaders({ 'x-forwarded-for': freshAddress() })
  const username = uniqueName('planner')
  await page.goto('/plans')
  await expect(page).toHaveURL(/\/signup$/)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('Missing Fields', { exact: true })).toBeVisible()
  await expect(page.getByLabel('First name')).toBeFocused()
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Username').fill(username.toUpperCase())
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await expect(page.getByText('Username is available!', { exact: true })).toBeVisible()
  await page.getByLabel('Email').fill(`${username}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill('long enough')
  await page.getByRole('button', { name: 'Choose a plan first' }).click()
  await expect(page.getByRole('heading', { name: 'Choose Your Plan' })).toBeVisible()
  // A script on the page must not be able to read the password.
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))
  expect(kept).not.toContain('long enough')
  await page.getByRole('button', { name: 'Start with Pro' }).click()
  await expect(page.getByRole('heading', { name: 'Welcome, Ada' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pay for Pro' })).toBeVisible()
  await page.goto(await linkIn(`${username}@example.com`, 'Confirm your email address'))
  await page.getByRole('button', { name: 'Confirm my email' }).click()
  await expect(page.getByText(`${username}@example.com is confirmed.`)).toBeVisible()
  await page.goto('/welcome')
  await expect(page.getByRole('button', { name: 'Send the link again' })).toHaveCount(0)
})

test('a switch returns to its old state when the server refuses the setting, and another switch keeps its new state', async ({
  page,
}) => {
  const seller = await openDashboard(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  let refuse = () => {}
  const isRefused = new Promise<void>((resolve) => (refuse = resolve))
  await page.route('**/api/user/settings', async (route) => {
    if (!route.request().postData()?.includes('marketingEmails')) return route.continue()
    await isRefused
    return route.fulfill({ status: 503, json: { error: 'Away.', message: 'Away.', code: 'AWAY' } })
  })
  const marketing = page.getByRole('switch', { name: 'Marketing emails' })
  const notifications = page.getByRole('switch', { name: 'Email notifications' })
  await expect(marketing).not.toBeChecked()
  await marketing.click()
  await notifications.click()
  await expect(marketing).toBeChecked()
  await expect(notifications).not.toBeChecked()
  const secondIsSaved = page.waitForResponse(
    (response) => response.url().endsWith('/api/user/settings') && response.status() === 200,
  )
  refuse()
  await secondIsSaved
  // The message of the failure stays, although the second change was saved after it.
  await expect(page.getByText('Failed to update settings').first()).toBeVisible()
  await expect(page.getByText('Settings updated successfully!', { exact: true })).toHaveCount(0)
  await expect(marketing).not.toBeChecked()
  expect(await testedApp().query('SELECT "emailNotifications" FROM "User" WHERE "id" = $1', [seller.id])).toEqual([
    { emailNotifications: false },
  ])
  await expect(notifications).not.toBeChecked()
})

test('a setting keeps the newest saved choice, even if an older choice is refused later', async ({ page }) => {
  const seller = await openDashboard(page)
  await page.getByRole('button', { name: 'Settings' }).click()
  let refuse = () => {}
  const isRefused = new Promise<void>((resolve) => (refuse = resolve))
  await page.route('**/api/user/settings', async (route) => {
    if (!route.request().postData()?.includes('Berlin')) return route.continue()
    await isRefused
    await route.fulfill({ status: 500, json: { error: 'no' } })
  })
  const timezone = page.getByLabel('Time zone')
  await timezone.selectOption('Europe/Berlin')
  await timezone.selectOption('Europe/London')
  refuse()
  await expect(page.getByText('Settings updated successfully!', { exact: true })).toBeVisible()
  await expect(timezone).toHaveValue('Europe/London')
  expect(await testedApp().query('SELECT "timezone" FROM "User" WHERE "id" = $1', [seller.id])).toEqual([
    { timezone: 'Europe/London' },
  ])
})

test('settings take effect immediately, and a username can be changed once in 30 days', async ({ page }) => {
  const seller = await openDashboard(page)
  const settings = async () => {
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('dialog', { name: 'Settings' }).waitFor()
  }
  await settings()
  await expect(page.getByLabel('Analytics tracking')).toHaveCount(0)
  await page.getByRole('switch', { name: 'Marketing emails' }).click()
  await expect(page.getByText('Settings updated successfully!', { exact: true })).toBeVisible()
  await page.getByLabel('Time zone').selectOption('Europe/Berlin')
  await expect
    .poll(async () =>
      testedApp().query('SELECT "timezone", "marketingEmails" FROM "User" WHERE "id" = $1', [seller.id]),
    )
    .toEqual([{ timezone: 'Europe/Berlin', marketingEmails: true }])
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByRole('button', { name: 'Change username' }).click()
  await expect(page.getByText('Please enter a new username', { exact: true })).toBeVisible()
  const wanted = uniqueName('renamed')
  await page.getByLabel('New username').fill(wanted)
  await expect(page.getByText('Username is available!', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Change username' }).click()
  await expect(page.getByText('Username changed successfully!', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Hi @${wanted}` })).toBeVisible()
  await settings()
  await expect(page.getByRole('dialog').getByText(`@${wanted}`)).toBeVisible()
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await expect(page.getByText('Cannot change username', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Available again:/)).toBeVisible()
})

test('a profile picture is stored on Save, and removed by a double tap followed by Save', async ({ page }) => {
  const seller = await openDashboard(page)
  const imageOf = async () =>
    (
      await testedApp().query<{ profileImageUrl: string | null }>(
        'SELECT "profileImageUrl" FROM "User" WHERE "id" = $1',
        [seller.id],
      )
    )[0]?.profileImageUrl
  const edit = () => page.getByRole('button', { name: 'Edit Profile' }).click()
  const picture = page.getByAltText('Your profile photo')
  await edit()
  const input = page.getByLabel('Profile image', { exact: true })
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no') })
  await expect(page.getByText('Please select an image file', { exact: true })).toBeVisible()
  await input.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
  await expect(page.getByText('Please select an image under 5MB', { exact: true })).toBeVisible()
  await input.setInputFiles([drawing()])
  await expect(picture).toBeVisible()
  expect(await imageOf()).toBeNull()
  await page.getByLabel('First name').fill('Grace')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile image updated successfully!', { exact: true })).toBeVisible()
  expect(await imageOf()).toMatch(/^\/media\/profiles\//)
  await edit()
  await expect(page.getByLabel('First name')).toHaveValue('Grace')
  await picture.dblclick()
  await expect(picture).toHaveCount(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile image removed successfully!', { exact: true })).toBeVisible()
  expect(await imageOf()).toBeNull()
})

test("the public profile shows the seller's line and links, and the refusal of a link is shown at its field", async ({
  page,
}) => {
  const seller = await openDashboard(page)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('About you').fill('Stoneware from a small studio.')
  await page.getByLabel('Links').fill('instagram.com/studio\njavascript:alert(1)')
  await page.getByRole('button', { name: 'Save' }).click()
  const problem = page.getByText('Each link must be a public web address that starts with https://.', { exact: true })
  await expect(problem).toBeVisible()
  await page.getByLabel('Links').fill('instagram.com/studio\nhttps://studio.example/')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile updated successfully!', { exact: true })).toBeVisible()
  // The dialog closes after the response to its last call.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/profile/${seller.username}`)
  await expect(page.getByText('Stoneware from a small studio.', { exact: true })).toBeVisible()
  const link = page.getByRole('link', { name: 'instagram.com/studio' })
  await expect(link).toHaveAttribute('href', 'https://instagram.com/studio')
  await expect(link).toHaveAttribute('rel', /nofollow/)
  await page.goto('/')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await expect(page.getByLabel('Links')).toHaveValue('https://instagram.com/studio\nhttps://studio.example/')
})

test('with a wrong password no part of the profile is saved, and a refused public profile shows the error at its field', async ({
  page,
}) => {
  const seller = await openDashboard(page)
  const wordsOf = () => testedApp().query('SELECT "about" FROM "PublicProfile" WHERE "userId" = $1', [seller.id])
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  // Text that is too long stays in the field and is refused. It is not cut off.
  await page.getByLabel('About you').fill('x'.repeat(161))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please keep this line to at most 160 characters.', { exact: true })).toBeVisible()
  await page.getByLabel('About you').fill('Stoneware.')
  await page.getByLabel('Email').fill(`${uniqueName('new')}@example.com`)
  await page.getByLabel('Your password').fill('a guess')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText("That password isn't right.", { exact: true })).toBeVisible()
  expect(await wordsOf()).toEqual([])
  await page.getByLabel('Your password').fill(seller.password)
  await page.getByLabel('Links').fill('freecasinomoney.example')
  await page.getByRole('button', { name: 'Save' }).click()
  const links = page.getByLabel('Links')
  await expect(links).toHaveAccessibleDescription(/gambling/)
  await expect(links).toHaveValue('freecasinomoney.example')
  expect(await wordsOf()).toEqual([])
  await links.fill('studio.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await wordsOf()).toEqual([{ about: 'Stoneware.' }])
})

test('names can be changed while the public profile cannot be loaded', async ({ page }) => {
  const seller = await openDashboard(page)
  const call = '**/api/user/public-profile'
  await page.route(call, (route) => route.abort())
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await expect(page.getByText(/We couldn't load the text of your public profile/)).toBeVisible({ timeout: 20_000 })
  await page.getByLabel('First name').fill('Grace')
  await page.unroute(call)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('About you')).toBeVisible()
  await expect(page.getByLabel('First name')).toHaveValue('Grace')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile updated successfully!', { exact: true })).toBeVisible()
  const [row] = await testedApp().query('SELECT "firstName" FROM "User" WHERE "id" = $1', [seller.id])
  expect(row).toEqual({ firstName: 'Grace' })
})

test('signing in requires the second factor, and accepts a recovery code once', async ({ page, browser }) => {
  const seller = await openDashboard(page)
  await page.goto('/account')
  await page.getByRole('button', { name: 'Set up' }).click()
  const password = page.getByLabel('Your password', { exact: true })
  await password.fill('a guess')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText("That password isn't right.", { exact: true })).toBeVisible()
  await password.fill(seller.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = (await page.getByText(/^(?:[A-Z2-7]{4} ?){8}$/).innerText()).replaceAll(' ', '')
  await page.getByLabel('The six digits from your app').fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByText("That code isn't right. Please enter a new one.", { exact: true })).toBeVisible()
  await page.getByLabel('The six digits from your app').fill(generateSync({ secret }))
  await page.getByRole('button', { name: 'Turn on' }).click()
  const code = await page
    .getByText(/^\w{4}-\w{4}-\w{4}$/)
    .first()
    .innerText()
  const logIn = async () => {
    const other = await browser.newPage({ extraHTTPHeaders: { 'x-forwarded-for': freshAddress() } })
    await other.goto('/login?redirect=/orders')
    await other.getByLabel('Username').fill(`@${seller.username}`)
    await other.getByLabel('Password', { exact: true }).fill(seller.password)
    await other.getByRole('button', { name: 'Sign In' }).click()
    await other.getByRole('heading', { name: 'One more step' }).waitFor()
    await other.getByLabel('Code').fill(code)
    await other.getByRole('button', { name: 'Sign In' }).click()
    return other
  }
  const first = await logIn()
  await expect(first).toHaveURL(/\/orders$/)
  const second = await logIn()
  await expect(second.getByText("That code isn't right. Please enter a new one.")).toBeVisible()
  expect((await mailTo(testedApp(), seller.email)).map((mail) => mail.subject)).toContain('New sign-in to your account')
  await first.close()
  await second.close()
})

test('a seller can sign out all other devices', async ({ page, browser }) => {
  const seller = await openDashboard(page)
  const other = await browser.newPage()
  await other.request.post('/api/auth/login', { data: { email: seller.email, password: seller.password } })
  await page.goto('/account')
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByText('Signed out on all other devices', { exact: true })).toBeVisible()
  await other.goto('/account')
  await expect(other).toHaveURL(/\/login/)
  await other.close()
})

test('the list of devices is shortened only if that hides more than one device', async ({ page, browser }) => {
  const seller = await openDashboard(page)
  for (let count = 0; count < 5; count += 1) {
    const other = await browser.newContext({
      baseURL: testedApp().url,
      extraHTTPHeaders: { 'x-forwarded-for': freshAddress() },
    })
    await other.request.post('/api/auth/login', { data: { email: seller.email, password: seller.password } })
    await other.close()
  }
  await page.goto('/account')
  const items = page.locator('#devices li')
  await expect(page.getByRole('button', { name: 'Show 2 more' })).toBeVisible()
  await expect(items).toHaveCount(4)
  await items
    .nth(1)
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(items).toHaveCount(5)
  await expect(page.getByRole('button', { name: /^Show/ })).toHaveCount(0)
})

test('deleting an account requires its username and password', async ({ page }) => {
  const seller = await openDashboard(page)
  await page.goto('/account#delete')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const remove = page.getByRole('button', { name: 'Delete permanently' })
  await page.getByLabel(`Type ${seller.username} to confirm`).fill('somebody')
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('wrong one')
  await remove.click()
  await expect(page.getByText('Please type your username to confirm.', { exact: true })).toBeVisible()
  await page.getByLabel(`Type ${seller.username} to confirm`).fill(seller.username)
  await remove.click()
  await expect(page.getByText("That password isn't right.", { exact: true })).toBeVisible()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(seller.password)
  await remove.click()
  await expect(page).toHaveURL(/\/$/)
  const [row] = await testedApp().query('SELECT "email", "firstName" FROM "User" WHERE "id" = $1', [seller.id])
  expect(JSON.stringify(row)).not.toContain(seller.username)
  const answer = await fetch(`${testedApp().url}/api/auth/user`, { headers: { cookie: seller.cookie } })
  expect(answer.status).toBe(401)
})
