// Next renders a page for a POST, outside of the shared cache. These tests check that our server refuses such a
// request, and that it passes on every form that the application has.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { findFreePort } from '@/scripts/ports.mjs'
import { startWebServer } from '@/lib/server/start-web-server.mjs'
import { calls, pages } from '@/tests/support/route-table'

/** The pages that are posted to by a form without an `action`, by the component of the form. */
const FORM_PAGES: Record<string, string[]> = {
  'accounts/appeal-form.tsx': ['/appeal'],
  'accounts/auth-card.tsx': ['/login'],
  'accounts/confirm-email.tsx': ['/confirm-email'],
  'accounts/forgot-form.tsx': ['/forgot-password', '/forgot-username'],
  'accounts/plan-step.tsx': ['/plans'],
  'accounts/reset-form.tsx': ['/reset-password'],
  'accounts/second-step-form.tsx': ['/two-factor'],
  'accounts/signup-form.tsx': ['/signup'],
}
const isStandIn = (place: string) => place.startsWith('/sandbox/') && place !== '/sandbox/mail'

let url = ''
let server: Awaited<ReturnType<typeof startWebServer>>

beforeAll(async () => {
  const port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  server = await startWebServer({ port, addresses: ['127.0.0.1'], handle: (_, response) => response.end('passed on') })
})
afterAll(() => server.close())

const post = (place: string, headers: Record<string, string> = {}) =>
  fetch(url + place.replaceAll(/\[[^\]]+\]+/g, 'x1'), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: 'a=b',
  })

test.each(Object.keys(pages))('a POST to %s is refused unless the page has a form for it', async (place) => {
  const answer = await post(place)
  const mayPost = Object.values(FORM_PAGES).flat().includes(place) || place.startsWith('/admin') || isStandIn(place)
  expect(answer.status).toBe(mayPost ? 200 : 405)
  if (mayPost) return
  expect(answer.headers.get('allow')).toBe('GET, HEAD')
  expect(await answer.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' })
})

test.each(Object.keys(pages))('the call of a server action on %s is passed on', async (place) => {
  expect((await post(place, { 'next-action': 'x' })).status).toBe(200)
})

const posted = Object.keys(calls).flatMap((call) => (call.startsWith('POST ') ? [call.slice(5)] : []))
test.each(posted)('a POST to the route %s is passed on', async (place) => {
  expect((await post(place)).status).toBe(200)
})

test.each(['/', '/nowhere', '/drop/x/buy/now', '/robots.txt/x', '/orders/export.csv', '/_next/x'])(
  'a POST to %s is refused, because no form is sent there',
  async (place) => {
    expect((await post(place)).status).toBe(405)
  },
)

it('knows every form that is posted to its own page', () => {
  const folders = ['components', 'app'].map((folder) => path.resolve(folder))
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
      .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') })),
  )
  const forms = files.flatMap(({ name, text }) =>
    [...text.matchAll(/<form\b([^]*?[^=])>/g)].map(([, attributes = '']) => ({ name, attributes })),
  )
  const own = forms.filter(({ attributes }) => attributes.includes('method="post"') && !/\saction=/.test(attributes))
  expect(own.map(({ name }) => name).sort()).toEqual(Object.keys(FORM_PAGES))
})
