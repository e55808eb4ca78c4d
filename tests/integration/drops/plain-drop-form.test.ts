// Sends the form with which a seller publishes a drop without JavaScript, as a browser does.
import type { User } from '@prisma/client'
import { POST } from '@/app/api/drops/form/route'
import { dropTexts, limitText } from '@/lib/drops/messages'
import { plainDropTexts } from '@/lib/drops/plain-messages'
import { createCookieJar, keepCookieJar } from '@/lib/http/cookies/cookie-jar'
import { closeDatabase, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { documented } from '@/tests/support/api-answers'
import { makeDrop, makeSeller } from '@/tests/support/factories'
import { drawing, type Picture } from '@/tests/support/photos'
import { signIn } from '@/tests/support/signed-request'

afterAll(closeDatabase)

const PAGE = { accept: 'text/html,*/*;q=0.8', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }

const goodFields = () => ({
  idempotencyKey: newId('form'),
  title: 'Mug',
  description: 'A mug.',
  productType: 'physical',
  price: '24',
  quantity: '2',
  duration: '24',
  condition: 'new',
  shippingNote: '',
})

type Sent = { fields?: Record<string, string>; photos?: Picture[]; headers?: Record<string, string> }

/** Sends the form of a seller. A browser sends an empty part for each photo that is not chosen. */
async function send(seller: User | null, { fields = {}, photos = [drawing()], headers = PAGE }: Sent = {}) {
  const body = new FormData()
  for (const [name, value] of Object.entries({ ...goodFields(), ...fields })) body.set(name, value)
  for (let at = 0; at < 5; at += 1) {
    const photo = photos[at]
    const blob = photo ? new Blob([new Uint8Array(photo.buffer)], { type: photo.mimeType }) : new Blob([])
    body.set(`image${at}`, blob, photo?.name ?? '')
  }
  const cookie = seller ? await signIn(seller.id) : ''
  const request = new Request('http://localhost:3000/api/drops/form', { method: 'POST', body, headers })
  keepCookieJar(request, createCookieJar(cookie))
  const answer = await POST(request, { params: Promise.resolve({}) })
  await documented('POST', '/api/drops/form', answer)
  return { status: answer.status, location: answer.headers.get('location'), html: await answer.text() }
}

const dropsOf = ({ id }: User) => db().drop.findMany({ where: { userId: id }, include: { images: true } })

/** Returns the text of the problem at a field of the page, or null. */
function problemAt(html: string, field: string): string | null {
  const text = new RegExp(`id="plain-${field}-problem">([^<]*)<`).exec(html)?.[1]
  return text?.replaceAll('&#39;', "'") ?? null
}

it('publishes a drop with its photos and leads to the success page, once per key', async () => {
  const seller = await makeSeller()
  const fields = { idempotencyKey: newId('form'), price: '24,50', shippingNote: 'In paper', digitalFileUrl: '' }
  const photos = [drawing(), drawing('ceramic-mug-2')]
  const first = await send(seller, { fields, photos })
  const [drop] = await dropsOf(seller)
  expect(first).toMatchObject({ status: 303, location: `/success?drop=${drop?.uniqueId}` })
  expect(drop).toMatchObject({ priceCents: 2450, quantity: 2, duration: 24, shippingNote: 'In paper' })
  expect(drop?.images).toHaveLength(2)
  expect((await send(seller, { fields, photos })).location).toBe(first.location)
  expect(await dropsOf(seller)).toHaveLength(1)
})

it('gives a form a new key when its key belongs to a drop with other content', async () => {
  const seller = await makeSeller({ plan: 'pro' })
  const idempotencyKey = newId('form')
  await send(seller, { fields: { idempotencyKey } })
  const { status, html } = await send(seller, { fields: { idempotencyKey, title: 'Bowl' } })
  expect(status).toBe(409)
  expect(html).toContain('You already published this form as “Mug”')
  const key = /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? ''
  expect(key).toMatch(/^form_\w+$/)
  expect(key).not.toBe(idempotencyKey)
  expect((await send(seller, { fields: { idempotencyKey: key, title: 'Bowl' } })).status).toBe(303)
})

it('refuses a form from another site, even with the cookies of the seller', async () => {
  const seller = await makeSeller()
  const foreign: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const headers of foreign) {
    const { status, html } = await send(seller, { headers: { accept: PAGE.accept, ...headers } })
    expect(status).toBe(403)
    expect(html.replaceAll('&#39;', "'")).toContain(platformError('CROSS_ORIGIN').message)
  }
  expect(await dropsOf(seller)).toEqual([])
})

it('shows every wrong field with its problem, and keeps what was typed', async () => {
  const seller = await makeSeller()
  const title = 'Mug "<b>large</b>" & more'
  const fields = {
    title,
    description: '\nA mug.',
    price: 'abc',
    quantity: '0',
    duration: '5',
    shippingNote: 'In paper',
  }
  const { status, html } = await send(seller, { fields })
  expect(status).toBe(400)
  expect(problemAt(html, 'price')).toBe(`${dropTexts.invalidPriceTitle}. ${dropTexts.invalidPrice}`)
  expect(problemAt(html, 'quantity')).toBe(dropTexts.quantityInvalid)
  expect(problemAt(html, 'duration')).toBe(dropTexts.durationInvalid)
  expect(problemAt(html, 'title')).toBeNull()
  expect(html.match(/ autofocus/g)).toHaveLength(1)
  expect(html).toMatch(/<input id="plain-price"[^>]* autofocus[^>]* value="abc">/)
  expect(html).toContain('value="Mug &#34;&#60;b&#62;large&#60;/b&#62;&#34; &#38; more"')
  expect(html).toContain('\n\nA mug.</textarea>')
  expect(html).toContain('value="In paper"')
  expect(html).toContain(plainDropTexts.chooseAgain)
  expect(await dropsOf(seller)).toEqual([])
})

it('says which photo cannot be used, and that photos are missing', async () => {
  const seller = await makeSeller()
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no photo') }
  const bad = await send(seller, { photos: [drawing(), text] })
  expect(bad.status).toBe(415)
  expect(problemAt(bad.html, 'images')).toContain("isn't a photo we can read")
  const none = await send(seller, { photos: [] })
  expect([none.status, problemAt(none.html, 'images')]).toEqual([
    400,
    `${dropTexts.noImagesTitle}. ${dropTexts.noImages}`,
  ])
  expect(none.html).toMatch(/name="image0"[^>]* autofocus/)
})

it('keeps what was typed when the plan allows no further drop', async () => {
  const seller = await makeSeller()
  await makeDrop({ userId: seller.id })
  const { status, html } = await send(seller, { fields: { title: 'Second mug' } })
  expect(status).toBe(409)
  expect(html).toContain(limitText(1))
  expect(html).toContain('value="Second mug"')
})

it('offers and accepts only the product types of the plan', async () => {
  const free = await makeSeller()
  const fields = { productType: 'digital', digitalFileUrl: 'https://files.example/guide.pdf' }
  const refused = await send(free, { fields })
  expect([refused.status, refused.html.includes('Digital requires Pro plan')]).toEqual([403, true])
  const pro = await makeSeller({ plan: 'pro' })
  const withoutLink = await send(pro, { fields: { ...fields, digitalFileUrl: '' } })
  expect(withoutLink.status).toBe(400)
  expect(problemAt(withoutLink.html, 'digitalFileUrl')).toContain('Digital File')
  expect((await send(pro, { fields })).status).toBe(303)
  const service = { productType: 'service', digitalFileUrl: 'left over', shippingNote: 'left over' }
  expect((await send(pro, { fields: service })).status).toBe(303)
  expect((await dropsOf(pro)).map(({ productType, shippingNote }) => [productType, shippingNote]).sort()).toEqual([
    ['digital', ''],
    ['service', ''],
  ])
})

it('sends visitors to the login, and refuses suspended sellers with a page', async () => {
  const visitor = await send(null, { headers: { ...PAGE, referer: 'http://localhost:3000/create' } })
  expect(visitor.status).toBe(401)
  expect(visitor.html).toContain('href="/login?redirect=%2Fcreate"')
  const suspended = await send(await makeSeller({ isSuspended: true }))
  expect(suspended.status).toBe(403)
  expect(suspended.html).toContain('Your account is suspended')
})

it('gives programs the usual JSON', async () => {
  const { status, html } = await send(await makeSeller(), { fields: { price: 'abc' }, headers: { accept: '*/*' } })
  expect(status).toBe(400)
  expect(JSON.parse(html)).toMatchObject({ code: 'INVALID_INPUT', field: 'price' })
})
