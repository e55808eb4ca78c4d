// Checks what a browser gets when a form or a download is refused. It gets a readable page with the same status as the
// JSON response that a program gets, or a redirect to a page that shows the problem.
import { expect } from '@playwright/test'
import {
  buy,
  moveEnd,
  freshAddress,
  openCheckout,
  createSellerAndDrop,
  type Shop,
  signUp,
  testedApp,
} from '../support/e2e'
import { refusalOf } from '../support/refusal-of'
import { test } from '../support/test'

const SECRET = 'a'.repeat(43)
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** Sends a form as a browser without JavaScript does. */
function send(shop: Shop, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(shop.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: BROWSER, 'x-forwarded-for': freshAddress(), ...headers },
    body: new URLSearchParams(fields),
  })
}

async function pageOf(response: Response): Promise<{ status: number; words: string; links: string[] }> {
  const html = await response.text()
  expect(response.headers.get('content-type'), html).toBe('text/html; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('private, no-store')
  // The page writes apostrophes as entities.
  const textOf = (tag: string) =>
    (new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? '').replaceAll('&#39;', "'")
  // A short reason is the heading. Any other reason is the text below a general heading.
  const [title, text] = [textOf('h1'), textOf('p')]
  if (text) expect(title).toMatch(/^(?:Please check this|We couldn't do that|Something went wrong)$/)
  const words = text || title
  const [content = '', footer] = html.split('<footer>')
  expect(footer).toContain('<a href="/find-order#help">')
  const links = [...content.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href ?? '')
  return { status: response.status, words, links }
}

test('buying a drop that cannot be bought shows a page with the reason', async () => {
  const { shop, seller, drop, path } = await createSellerAndDrop({ quantity: '1' })
  const before = { referer: shop.url + path }
  expect(await pageOf(await send(shop, `${path}/buy`, { quantity: '99' }, before))).toEqual({
    status: 400,
    words: 'You can buy 1 to 10 at a time.',
    links: [path, '/'],
  })
  const own = await pageOf(await send(shop, `${path}/buy`, { quantity: '1' }, { ...before, cookie: seller.cookie }))
  expect(own).toMatchObject({ status: 403, words: "You can't buy your own drop.", links: [path, '/'] })
  await openCheckout(shop, drop.id)
  // If every unit is taken or the drop has ended, the buyer returns to the drop page, which shows this state.
  const taken = await send(shop, `${path}/buy`, { quantity: '1' }, before)
  expect([taken.status, taken.headers.get('location')]).toEqual([303, path])
  expect(await (await fetch(shop.url + path)).text()).toContain('All in checkout')
  await moveEnd(shop, drop.id, -60)
  const late = await send(shop, `${path}/buy`, { quantity: '1' }, before)
  expect([late.status, late.headers.get('location')]).toEqual([303, path])
  // A program gets JSON.
  const program = await send(shop, `${path}/buy`, { quantity: '99' }, { accept: '*/*' })
  expect(await refusalOf(program)).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
})

test('refused reminders, claims, orders and reports show a page with the reason', async ({ shop, path }) => {
  const cases: [path: string, fields: Record<string, string>, status: number, words: RegExp][] = [
    [`${path}/remind`, { email: 'bea@example.com' }, 409, /available right now/],
    [`${path}/remind`, { email: 'bea' }, 400, /valid email/],
    ['/drop/nobody-knows/remind', { email: 'bea@example.com' }, 404, /may have expired/],
    ['/api/waitlist/confirm', { token: SECRET }, 410, /This link has expired/],
    ['/api/waitlist/confirm', { token: '' }, 400, /This link has expired/],
    [`/api/waitlist/leave?entry=1&key=${'a'.repeat(40)}&page=1`, {}, 410, /unsubscribe link isn't complete/],
    [
      '/profile/nobody_knows/follow',
      { email: 'bea@example.com', from: 'profile' },
      404,
      /can't follow this seller right now/,
    ],
    ['/profile/nobody_knows/follow', { email: 'bea', from: 'profile' }, 400, /valid email/],
    ['/api/follow/confirm', { token: SECRET }, 410, /This link has expired/],
    ['/api/follow/confirm', { token: '' }, 400, /This link has expired/],
    [`/api/follow/leave?follower=1&key=${'a'.repeat(40)}&page=1`, {}, 410, /unsubscribe link isn't complete/],
    ['/claim/x/buy', {}, 400, /This link has expired/],
    [`/o/${SECRET}/write`, { about: 'refund', text: 'Hello' }, 404, /We can't find this order/],
    [`/o/${SECRET}/download`, {}, 404, /We can't find this order/],
    ['/api/drop/nobody-knows/report', { category: 'other' }, 404, /may have expired/],
    ['/api/profile/report/nobody-knows', { category: 'other' }, 404, /./],
    ['/find-order/send', { email: '<b>' }, 400, /valid email/],
  ]
  for (const [url, fields, status, words] of cases) {
    const page = await pageOf(await send(shop, url, fields))
    expect(page, url).toMatchObject({ status, links: ['/'] })
    expect(page.words, url).toMatch(words)
    const program = await refusalOf(await send(shop, url, fields, { accept: 'application/json' }))
    expect(program.status, url).toBe(status)
  }
  // The order page shows this error, so the browser returns to it.
  const letter = await send(shop, `/o/${SECRET}/write`, { about: 'refund', text: '' })
  expect([letter.status, letter.headers.get('location')]).toEqual([303, `/o/${SECRET}?problem=INVALID_INPUT`])
  // The page of a claim shows the state of the claim, so the browser returns to it.
  const claim = await send(shop, `/claim/${SECRET}/buy`, {})
  expect([claim.status, claim.headers.get('location')]).toEqual([303, `/claim/${SECRET}`])
})

/** Returns the form on the page of a refusal: its action, its hidden fields and the text that it keeps. */
const formOf = (html: string) => ({
  action: /<form method="post" action="([^"]*)"/.exec(html)?.[1],
  also: Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ),
  text: /<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(html)?.[1],
})

test('the page of a refused form keeps the text that was written', async ({ shop, drop, path }) => {
  await buy(shop, drop.id)
  const [order] = await shop.query<{ token: string }>(
    'SELECT "token" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL',
    [drop.id],
  )
  const page = `/o/${order!.token}`
  const write = (about: string, text: string) =>
    send(shop, `${page}/write`, { about, text }, { referer: `${shop.url}${page}/write` })
  // The text is as long as the field allows. A line break is one character in the field and two in the request.
  const long = `${'a'.repeat(1_000)}\r\n${'b'.repeat(999)}`
  expect((await write('message', long)).headers.get('location')).toBe(`${page}?sent=message`)

  const refused = await write('message', `${long}<b>`)
  const html = await refused.clone().text()
  expect(await pageOf(refused)).toEqual({ status: 400, words: 'Use at most 2,000 characters.', links: [page, '/'] })
  const again = { action: `${page}/write`, also: { about: 'message' } }
  expect(formOf(html)).toEqual({ ...again, text: `${long.replace('\r', '')}&#60;b&#62;` })

  for (const text of ['One.', 'Two.', 'Three.', 'Four.']) await write('message', text)
  const sixth = await write('message', 'Six.')
  expect(sixth.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(formOf(await sixth.clone().text())).toEqual({ ...again, text: 'Six.' })
  expect(await pageOf(sixth)).toMatchObject({
    status: 429,
    words: expect.stringMatching(/^You've sent several messages/),
  })

  // Asking for a refund twice with the same text has the same effect as asking once. A second refund request with
  // another text is refused, but that text can still be sent as a message.
  for (const time of ['first', 'second']) {
    expect([time, (await write('refund', 'Broken.')).headers.get('location')]).toEqual([time, `${page}?sent=refund`])
  }
  const other = await write('refund', 'And late.')
  expect(formOf(await other.clone().text())).toEqual({ ...again, text: 'And late.' })
  expect(await pageOf(other)).toMatchObject({
    status: 409,
    words: "You've already requested a refund. The seller has your request.",
  })

  const report = (fields: Record<string, string>) => send(shop, `/api${path}/report`, fields)
  const details = `${'c\r\n'.repeat(400)}${'c'.repeat(200)}`
  expect((await report({ category: 'other', details })).headers.get('location')).toBe(`${path}/report?sent=1`)
  const tooLong = await report({ category: 'other', details: 'd'.repeat(1_001) })
  expect(formOf(await tooLong.clone().text())).toEqual({
    action: `/api${path}/report`,
    also: { category: 'other' },
    text: 'd'.repeat(1_001),
  })
  const words = 'Please keep your report to 1,000 characters.'
  expect(await pageOf(tooLong)).toEqual({ status: 400, words, links: [`${path}/report`, '/'] })
})

test('links on the page of a refusal stay on this site, and this page shows no markup from the referer', async ({
  shop,
  path,
}) => {
  for (const referer of ['https://evil.example/drop/x', `${shop.url}//evil.example/`, 'javascript:alert(1)', '"><b>']) {
    expect((await pageOf(await send(shop, `${path}/buy`, { quantity: '0' }, { referer }))).links).toEqual(['/'])
  }
  const tricky = `${shop.url}/drop/"><script>alert(1)</script>`
  const html = await (await send(shop, `${path}/buy`, { quantity: '0' }, { referer: tricky })).text()
  expect(html).not.toContain('<script>')
  const foreign = await send(shop, `${path}/buy`, { quantity: '1' }, { origin: 'https://evil.example' })
  expect(await pageOf(foreign)).toMatchObject({ status: 403 })
})

test('a download without a login is refused with a page that links to the login', async () => {
  const shop = testedApp()
  const url = '/orders/export.csv?status=paid'
  const answer = await fetch(shop.url + url, { headers: { accept: BROWSER }, redirect: 'manual' })
  const page = await pageOf(answer)
  expect(page).toMatchObject({ status: 401, links: [`/login?redirect=${encodeURIComponent(url)}`, '/'] })
  // An API call that is opened in a browser still returns JSON.
  expect(
    await refusalOf(await fetch(`${shop.url}/api/drop/nobody-knows`, { headers: { accept: BROWSER } })),
  ).toMatchObject({ status: 404 })
})

test('the form for lost order links works without JavaScript', async () => {
  const answer = await send(testedApp(), '/find-order/send', { email: 'nobody@example.com' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/find-order?sent=1'])
  const page = await (await fetch(`${testedApp().url}/find-order?sent=1`)).text()
  expect(page).toContain('If there are orders with this address')
})

test('an unknown problem in the URL of the report page does not break the page', async ({ shop, path }) => {
  for (const problem of ['constructor', '__proto__', 'toString', '%00', '<b>']) {
    const answer = await fetch(`${shop.url}${path}/report?problem=${encodeURIComponent(problem)}`)
    expect([problem, answer.status]).toEqual([problem, 200])
  }
})

test('sellers cannot join the waitlist of their own drops', async ({ shop, seller, drop, path }) => {
  const other = await signUp(shop)
  await moveEnd(shop, drop.id, -60)
  const ask = (cookie: string) => send(shop, `${path}/remind`, { email: 'bea@example.com' }, { cookie })
  expect(await pageOf(await ask(seller.cookie))).toMatchObject({
    status: 403,
    words: 'This is your own drop. Reminders are for buyers.',
  })
  expect((await ask(other.cookie)).headers.get('location')).toBe('/remind/sent')
})
