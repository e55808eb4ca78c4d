// Checks that bad input is refused with the right status, text and field (docs/contract.md#errors), and leaves nothing
// behind.
import { expect } from '@playwright/test'
import { readdirSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import path from 'node:path'
import {
  type DropFields,
  given,
  goodFields,
  postDrop,
  postJson,
  type Seller,
  type Shop,
  signUp,
  stockOf,
  testedApp,
  toForm,
  uniqueName,
} from '../support/e2e'
import { refusalOf } from '../support/refusal-of'
import { bombPng, drawing, type Picture, plainPhoto, svgPicture } from '../support/photos'
import { test } from '../support/test'

const file = (name: string, mimeType: string, buffer: Buffer): Picture => ({ name, mimeType, buffer })

const uploadsUnderWay = () => {
  try {
    return readdirSync(path.join(given('E2E_DATA_DIR'), 'tmp'))
  } catch {
    return []
  }
}

/** Expects no drop and no stored picture of this seller, no file without a row, and no partial upload. */
async function expectNothingLeft(shop: Shop, seller: Seller): Promise<void> {
  expect(await shop.query('SELECT "id" FROM "Drop" WHERE "userId" = $1', [seller.id])).toEqual([])
  expect(await shop.query('SELECT "key" FROM "StoredObject" WHERE "ownerId" = $1', [seller.id])).toEqual([])
  // Other tests upload at the same time. Their files disappear after a while, but a file that is left over stays.
  const now = uploadsUnderWay()
  await expect.poll(() => uploadsUnderWay().filter((name) => now.includes(name))).toEqual([])
  // A file's row is written before the file and removed after it, so files have to be listed before the rows are read.
  const files = readdirSync(path.join(given('E2E_DATA_DIR'), 'uploads', 'drops')).map((name) => `drops/${name}`)
  const known = await shop.query<{ key: string }>('SELECT "key" FROM "StoredObject" WHERE "key" = ANY($1)', [files])
  const keys = new Set(known.map(({ key }) => key))
  const strangers = files.filter((name) => !keys.has(name) && !/\.part_/.test(name))
  const stillThere = () => {
    const left = new Set(
      readdirSync(path.join(given('E2E_DATA_DIR'), 'uploads', 'drops')).map((name) => `drops/${name}`),
    )
    return strangers.filter((name) => left.has(name))
  }
  // The files of pictures that a drop uses are not leftovers.
  const demo = await shop.query<{ key: string }>('SELECT "key" FROM "DropImage"')
  expect(stillThere().filter((name) => !demo.some(({ key }) => name.startsWith(`${key}-`)))).toEqual([])
}

const bomb = bombPng()

const badPictures: [what: string, pictures: () => Promise<Picture[]> | Picture[], code: string, text: RegExp][] = [
  ['a text file named .jpg', () => [file('notes.jpg', 'image/jpeg', Buffer.from('not a picture'))], 'BAD_IMAGE', /notes\.jpg isn't a photo we can read/],
  ['an SVG', () => [file('logo.svg', 'image/svg+xml', svgPicture)], 'BAD_IMAGE', /logo\.svg isn't a photo we can read/],
  ['an SVG named .png', () => [file('logo.png', 'image/png', svgPicture)], 'BAD_IMAGE', /logo\.png isn't a photo we can read/],
  ['16,000 × 16,000 pixels', () => [file('bomb.png', 'image/png', bomb)], 'BAD_IMAGE', /bomb\.png has too many pixels/],
  ['a PDF named .webp', () => [file('a.webp', 'image/webp', Buffer.from('%PDF-1.7\n1 0 obj\n'))], 'BAD_IMAGE', /isn't a photo/],
  ['a web page', () => [file('a.gif', 'image/gif', Buffer.from('GIF89a<script>alert(1)</script>'))], 'BAD_IMAGE', /isn't a photo/],
  ['a photo cut in half', async () => [await cutInHalf()], 'BAD_IMAGE', /half\.jpg isn't a photo/],
  ['a good one and a bad one', async () => [await plainPhoto(), file('bad.png', 'image/png', Buffer.from('no'))], 'BAD_IMAGE', /bad\.png isn't a photo/],
  ['no picture', () => [], 'NO_IMAGES', /^No Images Selected/],
  ['an empty file', () => [file('empty.jpg', 'image/jpeg', Buffer.alloc(0))], 'NO_IMAGES', /^No Images Selected/],
] // prettier-ignore

async function cutInHalf(): Promise<Picture> {
  const { buffer } = await plainPhoto()
  return file('half.jpg', 'image/jpeg', buffer.subarray(0, buffer.length / 2))
}

type BadFields = readonly [fields: DropFields, status: number, code: string, field: string, text: RegExp]

const badFields: BadFields[] = [
  [{ title: ' ', description: '', price: '' }, 400, 'INVALID_INPUT', 'title', /Missing: Product Name, Description, Price/],
  [{ description: '\n' }, 400, 'INVALID_INPUT', 'description', /Missing: Description$/],
  ...['0', '-1', '1e3', 'NaN', '0.001', 'Infinity', '0x10', '１２'].map(
    (price) => [{ price }, 400, 'INVALID_INPUT', 'price', /^Invalid Price\. Please enter a valid price greater than 0\.$/] as BadFields,
  ),
  [{ price: '0.49' }, 400, 'INVALID_INPUT', 'price', /lowest price is \$0\.50/],
  [{ price: '1000000' }, 400, 'INVALID_INPUT', 'price', /highest price is \$999,999\.99/],
  ...['0', '-1', '1.5', '2147483648', '1e3', 'x'].map(
    (quantity) => [{ quantity }, 400, 'INVALID_INPUT', 'quantity', /whole number from 1 to 1,000,000/] as BadFields,
  ),
  ...['25', '0', '-24', '24.0', '1e1'].map(
    (duration) => [{ duration }, 400, 'INVALID_INPUT', 'duration', /24, 48 or 72 hours/] as BadFields,
  ),
  [{ duration: '' }, 400, 'INVALID_INPUT', 'duration', /Missing: Duration$/],
  [{ quantity: '' }, 400, 'INVALID_INPUT', 'quantity', /whole number from 1 to 1,000,000/],
  [{ title: '\u200b' }, 400, 'INVALID_INPUT', 'title', /Missing: Product Name$/],
  [{ productType: 'weapon' }, 400, 'INVALID_INPUT', 'productType', /physical, digital or service/],
  [{ title: 'x'.repeat(121) }, 400, 'INVALID_INPUT', 'title', /at most 120 characters/],
  [{ description: 'x'.repeat(5_001) }, 400, 'INVALID_INPUT', 'description', /at most 5,000 characters/],
  [{ description: 'x'.repeat(40_000) }, 413, 'BODY_TOO_LARGE', 'description', /too large/],
  [{ title: 'nul\u0000byte' }, 400, 'INVALID_INPUT', 'title', /./],
  [{ priceCents: '1' }, 400, 'INVALID_INPUT', 'priceCents', /./],
  [{ userId: '1' }, 400, 'INVALID_INPUT', 'userId', /./],
  [{ digitalFileUrl: 'javascript:alert(1)' }, 400, 'INVALID_INPUT', 'digitalFileUrl', /starts with https/],
  [{ productType: 'digital', digitalFileUrl: 'https://a.example/b' }, 403, 'PLAN_REQUIRED', 'productType', /^Digital requires Pro plan\. Upgrade to unlock this feature\.$/],
  [{ productType: 'service' }, 403, 'PLAN_REQUIRED', 'productType', /^Service requires Pro plan/],
  [{ customSlug: uniqueName('slug').replace('_', '-') }, 403, 'SLUG_PRO_ONLY', 'customSlug', /Pro plan/],
  [{ customSlug: '../../etc' }, 400, 'INVALID_INPUT', 'customSlug', /letters a-z, digits and hyphens/],
] // prettier-ignore

test.describe('over HTTP', () => {
  test('invalid pictures are refused with their names and leave nothing behind', async () => {
    const shop = testedApp()
    const seller = await signUp(shop)
    console.log(`A picture of 16,000 × 16,000 pixels in ${(bomb.length / 1024).toFixed(0)} KB`)
    for (const [what, pictures, code, text] of badPictures) {
      const refusal = await refusalOf(await postDrop(shop, seller, toForm(goodFields(), await pictures())))
      expect(refusal, what).toMatchObject({ status: code === 'NO_IMAGES' ? 400 : 415, code })
      expect([refusal.error, refusal.field], what).toEqual([
        expect.stringMatching(text),
        expect.stringMatching(/^image/),
      ])
    }
    const six = await Promise.all(Array.from({ length: 6 }, () => plainPhoto()))
    const refusal = await refusalOf(await postDrop(shop, seller, toForm(goodFields(), six)))
    expect(refusal).toMatchObject({ status: 400, field: 'image5' })
    expect(refusal.error).toContain('up to 5 images')
    await expectNothingLeft(shop, seller)
  })

  test('invalid fields are refused with the name of the field and leave nothing behind', async () => {
    const shop = testedApp()
    let seller = await signUp(shop)
    const picture = await plainPhoto()
    for (const [at, [fields, status, code, field, text]] of badFields.entries()) {
      // A new seller continues before the limit of 20 uploads per seller and hour is reached.
      if (at % 15 === 14) {
        await expectNothingLeft(shop, seller)
        seller = await signUp(shop)
      }
      const what = JSON.stringify(fields).slice(0, 80)
      const refusal = await refusalOf(await postDrop(shop, seller, toForm(goodFields(fields), [picture])))
      expect(refusal, what).toMatchObject({ status, code, field })
      expect(refusal.error, what).toMatch(text)
    }
    await expectNothingLeft(shop, seller)
    // The same seller can publish with valid fields.
    const answer = await postDrop(shop, seller, toForm(goodFields(), [picture]))
    expect(answer.status).toBe(201)
    const second = await refusalOf(await postDrop(shop, seller, toForm(goodFields(), [picture])))
    expect(second).toMatchObject({ status: 409, code: 'LIMIT_REACHED' })
  })

  test('the refusal of a digital drop names all missing fields together, and a file in a text field is refused', async () => {
    const shop = testedApp()
    const seller = await signUp(shop, { plan: 'pro' })
    const form = toForm(goodFields({ productType: 'digital' }), [drawing()])
    const refusal = await refusalOf(await postDrop(shop, seller, form))
    expect(refusal).toMatchObject({ status: 400, code: 'MISSING_FIELDS' })
    expect(refusal.error).toContain('Missing: Digital File')
    const empty = await refusalOf(
      await postDrop(shop, seller, toForm(goodFields({ productType: 'digital', title: '' }), [])),
    )
    expect(empty).toMatchObject({ status: 400, field: 'title' })
    expect(empty.error).toMatch(/Missing: Product Name, Product Images, Digital File$/)
    form.set('title', new Blob(['Mug']), 'title.txt')
    // A file in a text field is an error of that field and does not count as a picture.
    expect(await refusalOf(await postDrop(shop, seller, form))).toMatchObject({ code: 'INVALID_INPUT', field: 'title' })
    await expectNothingLeft(shop, seller)
  })

  test('a broken multipart body is refused and leaves nothing behind', async () => {
    const shop = testedApp()
    const seller = await signUp(shop)
    const part = (name: string, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
    const opened = `${part('title')}Mug\r\n${part('image0', '; filename="a.jpg"')}`
    const post = (body: string, type = 'multipart/form-data; boundary=b', more: Record<string, string> = {}) =>
      fetch(`${shop.url}/api/drops`, {
        method: 'POST',
        headers: { cookie: seller.cookie, 'content-type': type, ...more },
        body,
      })
    // Each case waits for the response to the previous one, because a seller may send at most two uploads at a time.
    const cases: [what: string, send: () => Promise<Response>, status: number][] = [
      ['no boundary', () => post(opened, 'multipart/form-data'), 400],
      ['another boundary', () => post(`${opened}\xff\xd8\r\n--b--\r\n`, 'multipart/form-data; boundary=c'), 400],
      ['cut off in a file', () => post(`${opened}\xff\xd8 half of`), 400],
      ['cut off in a head', () => post('--b\r\nContent-Dispo'), 400],
      ['empty', () => post(''), 400],
      ['no multipart at all', () => post('{"title":"Mug"}'), 400],
      ['the same field twice', () => post(`${part('title')}a\r\n${part('title')}b\r\n--b--\r\n`), 400],
      ['a field for the prototype', () => post(`${part('__proto__')}a\r\n--b--\r\n`), 400],
      ['a file where a field belongs', () => post(`${part('title', '; filename="a"')}a\r\n--b--\r\n`), 400],
      ['a path out of the folder', () => post(`${part('image0', '; filename="../../../x.jpg"')}a\r\n--b--\r\n`), 400],
      [
        'fifty fields',
        () => post(`${Array.from({ length: 50 }, (_, at) => `${part(`f${at}`)}x\r\n`).join('')}--b--\r\n`),
        400,
      ],
      [
        'ten thousand parts',
        () => post(`${Array.from({ length: 10_000 }, (_, at) => `${part(`f${at}`)}x\r\n`).join('')}--b--\r\n`),
        400,
      ],
      [
        'the file twice',
        () =>
          post(`${part('digitalFile', '; filename="a"')}a\r\n${part('digitalFile', '; filename="a"')}a\r\n--b--\r\n`),
        400,
      ],
      ['cut off in the digital file', () => post(`${part('digitalFile', '; filename="a.pdf"')}%PDF half of`), 400],
      ['JSON without the other fields', () => post('{"title":"Mug"}', 'application/json'), 400],
      ['no type', () => post('x', ''), 415],
      ['another site', () => post(opened, undefined, { origin: 'https://evil.example' }), 403],
    ]
    for (const [what, send, status] of cases) {
      expect((await refusalOf(await send())).status, what).toBe(status)
    }
    await expectNothingLeft(shop, seller)
    const visitor = await refusalOf(await postDrop(shop, { cookie: '' }, toForm(goodFields(), [])))
    expect(visitor).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN', error: 'Please log in to create a drop.' })
  })

  /**
   * Sends a request that announces more bytes than it sends. With `hangUp`, closes the connection after the body.
   * Resolves with the status of the response, or with 0 if the connection failed after `hangUp`.
   */
  function rawUpload(shop: Shop, seller: Seller, length: number, body: string, hangUp: boolean): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        cookie: seller.cookie,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': length,
      }
      const request = httpRequest(`${shop.url}/api/drops`, { method: 'POST', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
        request.destroy()
      })
      request.on('error', (error) => (hangUp ? resolve(0) : reject(error)))
      request.write(body, () => {
        if (hangUp) request.destroy()
      })
    })
  }

  test('an upload that is too large is refused before it is sent, and an aborted upload leaves nothing behind', async () => {
    const shop = testedApp()
    const seller = await signUp(shop)
    expect(await rawUpload(shop, seller, 700_000_000, '--b\r\n', false)).toBe(413)
    const before = new Set(uploadsUnderWay())
    const start = '--b\r\nContent-Disposition: form-data; name="image0"; filename="a.jpg"\r\n\r\n'
    expect(await rawUpload(shop, seller, 5_000_000, start + 'x'.repeat(100_000), true)).toBe(0)
    await expect.poll(() => uploadsUnderWay().filter((name) => !before.has(name))).toEqual([])
    const huge = toForm(goodFields(), [file('huge.jpg', 'image/jpeg', Buffer.alloc(26 * 1024 * 1024, 1))])
    const refusal = await refusalOf(await postDrop(shop, seller, huge))
    expect(refusal).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE', field: 'image0' })
    await expectNothingLeft(shop, seller)
    expect((await fetch(`${shop.url}/api/health`)).status).toBe(200)
  })

  test('a client that is still sending its body receives the refusal, and the connection stays usable', async () => {
    const { hostname, port } = new URL(testedApp().url)
    const heads = [
      `POST /api/drops HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: multipart/form-data; boundary=b\r\n`,
      `POST /api/auth/login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: text/plain\r\n`,
    ]
    for (const [at, expected] of ['401', '415'].entries()) {
      const socket = connect(Number(port), hostname)
      let received = ''
      socket.on('data', (chunk) => (received += chunk.toString('latin1')))
      socket.write(`${heads[at]}Content-Length: 2000000\r\n\r\n`)
      await expect.poll(() => received).toContain(`HTTP/1.1 ${expected} `)
      for (let part = 0; part < 20; part++) {
        await new Promise<void>((resolve, reject) => {
          socket.write(Buffer.alloc(100_000, 'x'), (error) => (error ? reject(error) : resolve()))
        })
      }
      socket.write(`GET /api/health HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
      await expect.poll(() => received).toContain('HTTP/1.1 200 ')
      socket.destroy()
    }
  })

  test('sign-up and login refuse invalid input', async () => {
    const { url } = testedApp()
    const seller = await signUp(testedApp())
    const name = uniqueName('new')
    const good = {
      firstName: 'A',
      lastName: 'B',
      username: name,
      email: `${name}@example.com`,
      password: 'long enough',
    }
    const signup: [body: unknown, status: number, field: string | undefined, text: RegExp][] = [
      [{ ...good, email: 'a@b' }, 400, 'email', /^Please enter a valid email address\.$/],
      [{ ...good, email: 'a@b.co\r\nBcc: c@d.co' }, 400, 'email', /valid email/],
      [{ ...good, email: seller.email.toUpperCase() }, 409, 'email', /email already exists/],
      [{ ...good, username: seller.username }, 409, 'username', /already taken/],
      [{ ...good, username: 'ab' }, 400, 'username', /3-20 characters/],
      [{ ...good, username: ' ' }, 400, 'username', /^Please fill in all required fields\.$/],
      [{ ...good, username: 'admin' }, 400, 'username', /different username/],
      [{ ...good, password: '12345' }, 400, 'password', /^Password must be at least 6 characters long\.$/],
      [{ ...good, password: '123456' }, 400, 'password', /too easy to guess/],
      [{ ...good, password: 'x'.repeat(257) }, 400, 'password', /at most 256/],
      [{ ...good, password: 7 }, 400, 'password', /./],
      [{ ...good, isAdmin: true }, 400, 'isAdmin', /./],
      [{}, 400, 'firstName', /^Please fill in all required fields\.$/],
      [[], 400, undefined, /./],
      ['{"firstName":', 400, undefined, /couldn't read this request/],
      [`{"firstName":"${'x'.repeat(70_000)}"}`, 413, undefined, /too large/],
    ]
    for (const [body, status, field, text] of signup) {
      const refusal = await refusalOf(await postJson(`${url}/api/auth/signup`, body))
      expect(refusal, JSON.stringify(body).slice(0, 80)).toMatchObject({ status, ...(field && { field }) })
      expect(refusal.error).toMatch(text)
    }
    const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: JSON.stringify(good) }
    expect((await refusalOf(await fetch(`${url}/api/auth/signup`, plain))).status).toBe(415)
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': 'cross-site' },
    ]
    for (const headers of foreign) {
      const refusal = await refusalOf(await postJson(`${url}/api/auth/signup`, good, headers))
      expect(refusal).toMatchObject({ status: 403, code: 'CROSS_ORIGIN' })
    }
    expect(await testedApp().query('SELECT "id" FROM "User" WHERE "username" = $1', [name])).toEqual([])

    for (const [email, password] of [
      [seller.username, 'wrong'],
      ['nobody', 'wrong'],
      [seller.email, 'x'.repeat(256)],
    ]) {
      const refusal = await refusalOf(await postJson(`${url}/api/auth/login`, { email, password }))
      expect(refusal).toMatchObject({ status: 401, error: 'Invalid email/username or password' })
    }
    const { email, password } = { email: seller.email, password: seller.password }
    expect((await refusalOf(await postJson(`${url}/api/auth/login`, { email }))).status).toBe(400)
    expect((await refusalOf(await postJson(`${url}/api/auth/login`, '\u0000'))).status).toBe(400)
    expect((await postJson(`${url}/api/auth/login`, { email, password })).status).toBe(200)
  })

  test('a checkout for an unknown drop or with invalid input is refused, and an unknown order is not found', async ({
    shop,
    drop,
  }) => {
    const cases: [body: unknown, status: number, code: string, field?: string][] = [
      [{ dropId: 2_147_483_647 }, 404, 'DROP_NOT_FOUND'],
      [{ dropId: '999999999' }, 404, 'DROP_NOT_FOUND'],
      [{ dropId: -1 }, 400, 'INVALID_INPUT', 'dropId'],
      [{ dropId: 1.5 }, 400, 'INVALID_INPUT', 'dropId'],
      [{ dropId: 2 ** 40 }, 404, 'DROP_NOT_FOUND'],
      [{ dropId: "1' OR 1=1" }, 400, 'INVALID_INPUT', 'dropId'],
      [{ dropId: { toString: 1 } }, 400, 'INVALID_INPUT', 'dropId'],
      [{}, 400, 'INVALID_INPUT', 'dropId'],
      [{ dropId: drop.id, quantity: 0 }, 400, 'INVALID_INPUT', 'quantity'],
      [{ dropId: drop.id, quantity: 11 }, 400, 'INVALID_INPUT', 'quantity'],
      [{ dropId: drop.id, quantity: 4 }, 409, 'NOT_ENOUGH_LEFT', 'quantity'],
      [{ dropId: drop.id, price: '0.01' }, 400, 'INVALID_INPUT', 'price'],
    ]
    for (const [body, status, code, field] of cases) {
      const refusal = await refusalOf(await postJson(`${shop.url}/api/checkout/create-session`, body))
      expect(refusal, JSON.stringify(body)).toMatchObject({ status, code, ...(field && { field }) })
    }
    const headers = { origin: 'https://evil.example' }
    const foreign = await postJson(`${shop.url}/api/checkout/create-session`, { dropId: drop.id }, headers)
    expect((await refusalOf(foreign)).status).toBe(403)
    expect(await stockOf(shop, drop.id)).toMatchObject({ sold: 0, held: 0 })
    for (const id of ['cs_test_unknown1', 'x', '%00', "cs_test_1' OR 1=1"]) {
      expect((await refusalOf(await fetch(`${shop.url}/api/order/${id}`))).status).toBe(404)
    }
  })

  test('unknown calls and wrong methods are refused with JSON', async () => {
    const { url } = testedApp()
    for (const unknown of ['/api/nothing', '/api/drops/1/2/3', '/api/auth/_log']) {
      for (const method of ['GET', 'POST']) {
        const refusal = await refusalOf(await fetch(url + unknown, { method }))
        expect(refusal, `${method} ${unknown}`).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      }
    }
    for (const known of ['/api/auth/login', '/api/drops', '/api/checkout/create-session']) {
      const answer = await fetch(url + known, { method: 'PUT' })
      expect(answer.headers.get('allow'), known).toContain('POST')
      expect(await refusalOf(answer), known).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
    }
  })
})
