import { createHash } from 'node:crypto'
import { builtActions } from '../support/built-actions'
import { createDrop, type DropFields, freshAddress, postJson, type Seller, type Shop, signUp } from '../support/e2e'
import { calls, pages } from '../support/route-table'
import { listActionInputs, listFormInputs } from './list-inputs'
import type { Surface } from './make-request'
import type { Schema } from './make-value'

const CODE = 'FUZZ10'
const EARLY_TOKEN = 'fuzz'.padEnd(43, 'E')
const CARD = '4242424242424242'
const DAY_MS = 24 * 60 * 60_000

/**
 * Drops of every kind, by their seller. A seller on the Pro plan has up to three. idOf() counts them from 0, in this
 * order.
 */
const DROPS: readonly (readonly DropFields[])[] = [
  [{ quantity: '500' }, { optionName: 'Size', options: 'S 50, M 100' }],
  [{ quantity: '400', maxPerBuyer: '2' }],
  [
    {
      quantity: '300',
      condition: 'used',
      shipsFrom: 'DE',
      shipsWithin: '5',
      shippingZones:
        '[{"surcharge":"6.00","countries":["DE","FR"]},{"surcharge":"12.50","countries":["US"]},{"surcharge":"0","countries":["GB"]}]',
    },
    { productType: 'digital', keys: Array.from({ length: 200 }, (_, at) => `FUZZ-${at + 1}`).join('\n') },
    { isOpenEdition: 'true', quantity: '250', optionName: 'Size', options: 'S, M' },
  ],
  [
    { quantity: '200', isNumbered: 'true' },
    { quantity: '100', earlyMinutes: '60', earlyUnits: '50' },
  ],
]

/**
 * Makes four sellers with drops of every kind, an administrator's session, a discount code, a follower's early link and
 * some orders. Returns their ids and cookies together with the pages, calls and actions to request.
 * @param isIn returns whether the calls or actions of this name are requested
 */
export async function makeSurface(
  shop: Shop,
  admin: { email: string; password: string },
  isIn: (name: string) => boolean,
): Promise<Surface> {
  const sellers: Seller[] = []
  const drops: { id: number; identifier: string }[] = []
  for (const [at, own] of DROPS.entries()) {
    const seller = await signUp(shop, at === 1 ? {} : { plan: 'pro' })
    sellers.push(seller)
    for (const fields of own) {
      const startsAt = new Date(Date.now() + DAY_MS).toISOString().slice(0, 16)
      drops.push(await createDrop(shop, seller, { ...fields, ...(fields.earlyMinutes ? { startsAt } : {}) }))
    }
  }
  const idOf = (at: number) => drops[at]?.id ?? 0
  const codeIds = await addCode(shop, sellers[2]?.cookie ?? '', idOf(3))
  await openEarlyAccess(shop, idOf(7), sellers[3]?.id ?? 0)
  await buyOne(shop, { dropId: idOf(0) })
  await buyOne(shop, { dropId: idOf(1), selectedVariants: { Size: 'M' } })
  await buyOne(shop, { dropId: idOf(3), country: 'DE', code: CODE })
  await buyOne(shop, { dropId: idOf(4) })
  await buyOne(shop, { dropId: idOf(5), quantity: 2, selectedVariants: { Size: 'S' } })
  await buyOne(shop, { dropId: idOf(6) })
  await buyOne(shop, { dropId: idOf(7), early: EARLY_TOKEN })
  const known = { drops, codeIds, sellers, orders: await readOrders(shop) }
  const document = (await (await fetch(`${shop.url}/api/openapi.json`)).json()) as Document
  return {
    calls: Object.keys(calls).filter(isIn),
    pages: Object.keys(pages),
    actions: builtActions().filter(({ what }) => isIn(what)),
    documented: { ...readDocument(document), ...listFormInputs() },
    actionInputs: listActionInputs(),
    parts: partsOf(known),
    fields: fieldsOf(known),
    cookies: ['', ...sellers.map(({ cookie }) => cookie), await logIn(shop, admin)],
  }
}

type OrderRow = { id: string; token: string; stripeSessionId: string }
type Known = { drops: { id: number; identifier: string }[]; codeIds: number[]; sellers: Seller[]; orders: OrderRow[] }

const readOrders = (shop: Shop) => shop.query<OrderRow>(`SELECT "id", "token", "stripeSessionId" FROM "Order"`)

/** Values for the parameters of paths. */
function partsOf({ drops, codeIds, sellers, orders }: Known): Surface['parts'] {
  const ids = drops.map(({ id }) => String(id))
  return {
    identifier: drops.map(({ identifier }) => identifier),
    username: sellers.map(({ username }) => username),
    id: [...ids, ...orders.map(({ id }) => id), ...sellers.map(({ id }) => String(id))],
    dropId: ids,
    codeId: codeIds.map(String),
    run: ['1', '2'],
    slug: ['free-slug'],
    token: [...orders.map(({ token }) => token), EARLY_TOKEN],
    sessionId: orders.map(({ stripeSessionId }) => stripeSessionId),
    nextauth: ['session', 'csrf', 'signout', 'providers', 'callback/credentials'],
    list: ['users', 'drops', 'orders'],
    step: ['confirm', 'leave'],
    key: ['previews/x.webp', 'drops/x.webp'],
    path: ['cs_test_x', 'pay'],
    name: ['drops-1.xml', 'sellers-1.xml'],
    unknown: ['nothing'],
  }
}

/** Values for the fields of bodies and queries that are only accepted when they have a certain form or exist. */
function fieldsOf({ drops, orders }: Known): Surface['fields'] {
  return {
    orderId: orders.map(({ id }) => id),
    dropId: drops.map(({ id }) => id),
    token: orders.map(({ token }) => token),
    session_id: orders.map(({ stripeSessionId }) => stripeSessionId),
    code: [CODE, 'fuzz10', 'NONE'],
    early: [EARLY_TOKEN, 'forged'.padEnd(43, 'x'), ''],
    country: ['DE', 'US', 'GB', 'JP', 'de', ''],
    selectedVariants: [{ Size: 'M' }, { Size: 'XXL' }, {}],
    option: ['M', 'XXL'],
    quantity: [1, 2, 10, '1', '3'],
    price: ['5.00', '0.30', '24'],
    duration: ['24', 48],
    productType: ['physical', 'digital', 'service'],
    earlyMinutes: ['60', 30, '', 0],
    earlyUnits: ['3', 1],
    startsAt: ['now', new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 16), '2026-03-29T02:30'],
    isOpenEdition: ['true', 'false'],
    isNumbered: ['true', 'false'],
    keys: ['A-1\nA-2', 'A-1\nA-1', '\u0000', ''],
    options: ['S 5, M 10', 'S, M', 'S 5, S 6', '[]'],
    optionName: ['Size'],
    condition: ['new', 'used', 'broken', ''],
    shipsFrom: ['DE', 'XX', ''],
    shipsWithin: ['5', 0, ''],
    shippingZones: ['[]', '[{"surcharge":"1.00","countries":["US"]}]', '[{"surcharge":"-1","countries":["US","US"]}]'],
    maxPerBuyer: ['3', ''],
    answer: ['wait', 'refund'],
    about: ['refund', 'message'],
    day: [new Date(Date.now() + 9 * DAY_MS).toISOString().slice(0, 10), '2026-02-30'],
    refundId: ['ref_'.padEnd(26, 'F')],
    amountCents: [100, 2_400],
    percent: [10, null],
    offCents: [100, null],
  }
}

/** Adds a discount code to a drop, and returns the ids of all codes. */
async function addCode(shop: Shop, cookie: string, dropId: number): Promise<number[]> {
  const made = await postJson(`${shop.url}/api/drops/${dropId}/codes`, { code: CODE, percent: 10 }, { cookie })
  if (made.status !== 201) throw new Error(`the code was refused: ${made.status} ${await made.text()}`)
  return (await shop.query<{ id: number }>('SELECT "id" FROM "DiscountCode"')).map(({ id }) => id)
}

/** Moves the start of a scheduled drop so that its early access is open, and gives a follower a link. */
async function openEarlyAccess(shop: Shop, dropId: number, sellerId: number): Promise<void> {
  await shop.query(
    `UPDATE "Drop" SET "startedAt" = now() + interval '50 minutes', "endTime" = now() + interval '25 hours' WHERE "id" = $1`,
    [dropId],
  )
  const [follower] = await shop.query<{ id: number }>(
    `INSERT INTO "Follower" ("sellerId", "email", "mailbox", "tokenHash", "confirmedAt", "page", "consentText")
     VALUES ($1, 'fuzz@example.com', 'fuzz@example.com', 'fuzz', now(), '/', 'Yes') RETURNING "id"`,
    [sellerId],
  )
  await shop.query(
    `INSERT INTO "EarlyLink" ("dropId", "followerId", "mailboxKey", "tokenHash") VALUES ($1, $2, 'fuzz', $3)`,
    [dropId, follower?.id, createHash('sha256').update(EARLY_TOKEN).digest('hex')],
  )
}

/**
 * Buys with an address in the chosen country. Reading the order settles it, so it is paid even if the webhook has not
 * come yet.
 */
async function buyOne(shop: Shop, body: { dropId: number; country?: string } & Record<string, unknown>): Promise<void> {
  const opened = await postJson(`${shop.url}/api/checkout/create-session`, body, { 'x-forwarded-for': freshAddress() })
  const { url, error } = (await opened.json()) as { url?: string; error?: string }
  if (!url) throw new Error(`the checkout of drop ${body.dropId} did not open: ${opened.status} ${error}`)
  const address = { name: 'Bea Buyer', line1: '1 Long Lane', city: 'Town', postalCode: '10115', phone: '+15555550100' }
  const typed = { ...address, country: body.country ?? 'GB', email: 'fuzz@example.com', cardNumber: CARD }
  const paid = await postJson(`${url}/pay`, typed)
  const sessionId = new URL(paid.headers.get('location') ?? shop.url).searchParams.get('session_id')
  const order = await fetch(`${shop.url}/api/order/${sessionId}`)
  if (!order.ok)
    throw new Error(`the order of drop ${body.dropId} cannot be read: ${order.status} ${await order.text()}`)
}

async function logIn(shop: Shop, account: { email: string; password: string }): Promise<string> {
  const login = await postJson(`${shop.url}/api/auth/login`, account)
  return login.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

type Bodies = Record<string, { schema: Schema }>
type Document = {
  paths: Record<
    string,
    Record<string, { parameters?: { in: string; name: string }[]; requestBody?: { content: Bodies } }>
  >
  components: { schemas: Record<string, Schema> }
}

/** Returns the bodies and query parameters in the OpenAPI document, by the name of the call in the table of routes. */
function readDocument({ paths, components }: Document): Surface['documented'] {
  const documented: Surface['documented'] = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{([^}]+)\}/g, '[$1]')}`
      const bodies = Object.entries(call.requestBody?.content ?? {})
      documented[name] = {
        bodies: bodies.map(([type, { schema }]) => ({ type, schema: resolve(schema, components.schemas) })),
        query: (call.parameters ?? []).filter((one) => one.in === 'query').map((one) => one.name),
      }
    }
  }
  return documented
}

function resolve(schema: Schema, known: Record<string, Schema>): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? (known[name] ?? {}) : schema
}
