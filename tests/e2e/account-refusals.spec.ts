// Sends invalid input over HTTP to the calls for accounts, such as settings, profile, username and login, and expects
// refusals (docs/product.md#accounts).
import { expect } from '@playwright/test'
import { signUp, testedApp } from '../support/e2e'
import { bombPng, type Picture, plainPhoto, svgPicture } from '../support/photos'
import { refusalOf } from '../support/refusal-of'
import { test } from '../support/test'

const file = (name: string, mimeType: string, buffer: Buffer): Picture => ({ name, mimeType, buffer })

test('invalid input for settings, profile, username, login or picture is refused and changes nothing', async () => {
  const shop = testedApp()
  const seller = await signUp(shop)
  const other = await signUp(shop)
  const row = () => shop.query('SELECT * FROM "User" WHERE "id" = $1', [seller.id])
  const before = await row()
  const cases: [
    method: string,
    path: string,
    body: unknown,
    status: number,
    field: string | undefined,
    text: RegExp,
  ][] = [
    ['PATCH', 'user/settings', { timezone: 'Mars/Olympus' }, 400, 'timezone', /time zones/],
    ['PATCH', 'user/settings', { currency: 'usd' }, 400, 'currency', /currencies/],
    ['PATCH', 'user/settings', { marketingEmails: 'yes' }, 400, 'marketingEmails', /./],
    ['PATCH', 'user/settings', { plan: 'pro' }, 400, 'plan', /./],
    ['PATCH', 'user/settings', { analytics: false }, 403, 'analytics', /Pro plan/],
    ['PATCH', 'user/profile', { firstName: ' ' }, 400, 'firstName', /required fields/],
    ['PATCH', 'user/profile', { firstName: 'A\r\nBcc: x@y.z' }, 400, 'firstName', /one line/],
    ['PATCH', 'user/profile', { email: 'a@b.co, c@d.co' }, 400, 'email', /valid email/],
    ['PATCH', 'user/profile', { email: other.email.toUpperCase() }, 409, 'email', /email already exists/],
    ['PATCH', 'user/profile', { isAdmin: true }, 400, 'isAdmin', /./],
    ['POST', 'change-username', {}, 400, 'newUsername', /^Please enter a new username$/],
    ['POST', 'change-username', { newUsername: '  ' }, 400, 'newUsername', /^Please enter a new username$/],
    ['POST', 'change-username', { newUsername: '_sneaky' }, 400, 'newUsername', /begin your username with a letter/],
    ['POST', 'change-username', { newUsername: 'sneaky_' }, 400, 'newUsername', /end your username with a letter/],
    ['POST', 'change-username', { newUsername: 'аdmin' }, 400, 'newUsername', /3-20 characters/],
    ['POST', 'change-username', { newUsername: 'Admin' }, 400, 'newUsername', /different username/],
    ['POST', 'change-username', { newUsername: 'lastcall_support' }, 400, 'newUsername', /different username/],
    ['POST', 'change-username', { newUsername: other.username }, 409, 'newUsername', /already taken/],
    ['POST', 'change-username', { newUsername: seller.username }, 400, 'newUsername', /already/],
    ['POST', 'auth/login', { email: seller.email, password: 'x'.repeat(1_000_000) }, 413, undefined, /too large/],
    ['POST', 'auth/signup-draft/complete', { plan: 'pro' }, 409, undefined, /expired/],
    ['POST', 'auth/two-factor', { code: '123456' }, 401, undefined, /sign in again/],
    ['POST', 'auth/confirm-email', { token: 'guess' }, 400, 'token', /expired or was already used/],
  ]
  for (const [method, path, body, status, field, text] of cases) {
    const headers = { cookie: seller.cookie, 'content-type': 'application/json' }
    const answer = await fetch(`${shop.url}/api/${path}`, { method, headers, body: JSON.stringify(body) })
    const what = `${path} ${JSON.stringify(body).slice(0, 60)}`
    const refusal = await refusalOf(answer)
    expect.soft(refusal, what).toMatchObject({ status })
    expect.soft(refusal.field, what).toBe(field)
    expect.soft(refusal.error, what).toMatch(text)
  }
  const image = async (picture: Picture, field = 'profileImage') => {
    const form = new FormData()
    form.set(field, new Blob([new Uint8Array(picture.buffer)], { type: picture.mimeType }), picture.name)
    const init = { method: 'POST', headers: { cookie: seller.cookie }, body: form }
    return refusalOf(await fetch(`${shop.url}/api/user/profile-image`, init))
  }
  const notAnImage = { status: 415, field: 'profileImage', error: 'Please select an image file' }
  expect(await image(file('me.jpg', 'image/jpeg', Buffer.from('hello')))).toMatchObject(notAnImage)
  expect(await image(file('me.svg', 'image/svg+xml', svgPicture))).toMatchObject(notAnImage)
  expect(await image(file('me.png', 'image/png', bombPng()))).toMatchObject({ status: 415, field: 'profileImage' })
  const tooLarge = { status: 413, field: 'profileImage', error: 'Please select an image under 5MB' }
  expect(await image(file('me.jpg', 'image/jpeg', Buffer.alloc(5 * 1024 * 1024 + 1)))).toMatchObject(tooLarge)
  expect(await image(file('me.jpg', 'image/jpeg', Buffer.alloc(9 * 1024 * 1024)))).toMatchObject(tooLarge)
  expect(await image(await plainPhoto(), 'avatar')).toMatchObject({ status: 400, field: 'avatar' })
  expect(await row()).toEqual(before)
})
