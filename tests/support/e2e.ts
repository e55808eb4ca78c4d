// Helpers that create sellers, drops and orders by calling the running application, for the browser tests, the fuzz
// test and the torture test. They also use the application's database for changes that no call can make, such as moving
// dates. For the browser tests, scripts/test.mjs starts the application and sets its URL.
import type { BrowserContext, Page } from '@playwright/test'
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { SellerDropView } from '@/lib/drops/view'
import type { Plan } from '@/lib/kernel/plan'
import { drawing, type Picture } from './photos'
import { answerWork } from './work'

/** An application to test: its URL and its database. */
export type Shop = {
  url: string
  query: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
}

export type Seller = { id: number; username: string; email: string; password: string; cookie: string }

/** Returns a variable that scripts/test.mjs sets for the run. Throws if the variable is not set. */
export function given(name: 'E2E_BASE_URL' | 'E2E_DATA_DIR' | 'E2E_DATABASE_URL' | 'E2E_AUTH_SECRET'): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set: run the browser tests with \`npm run test:e2e\`.`)
  return value
}

const pools = new Map<string, pg.Pool>()

export function shopAt(url: string, databaseUrl: string): Shop {
  return {
    url,
    query: async (text, values = []) => {
      let pool = pools.get(databaseUrl)
      if (!pool) {
        pool = new pg.Pool({ connectionString: databaseUrl, max: 4, allowExitOnIdle: true })
        // Some tests stop or kill the database, which must not end the test process.
        pool.on('error', () => undefined)
        pools.set(databaseUrl, pool)
      }
      return (await pool.query(text, values)).rows
    },
  }
}

/** Closes this process's connections to a database. Call this function before the database is stopped. */
export async function forget(databaseUrl: string): Promise<void> {
  const pool = pools.get(databaseUrl)
  pools.delete(databaseUrl)
  await pool?.end()
}

/** Returns the application that was started for this run. */
export function testedApp(): Shop {
  return shopAt(given('E2E_BASE_URL'), given('E2E_DATABASE_URL'))
}

/** Returns a unique name of at most 20 characters: the stem and a random part of digits and lower-case letters. */
export function uniqueName(stem: string): string {
  return `${stem}_${BigInt(`0x${randomBytes(6).toString('hex')}`).toString(36)}`.slice(0, 20)
}

/** Returns a random client address, so that a test is not stopped by limits that count requests per address. */
export function freshAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`
}

export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Returns the cookies that a response sets, as the value of a request's Cookie header. */
function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

export async function signUp(shop: Shop, options: { plan?: Plan } = {}): Promise<Seller> {
  const username = uniqueName('seller')
  const account = { username, email: `${username}@example.com`, password: `pass ${username}` }
  const response = await postJson(
    `${shop.url}/api/auth/signup`,
    { ...account, firstName: 'Ada', lastName: 'Maker' },
    {
      'x-forwarded-for': freshAddress(),
    },
  )
  if (response.status !== 201) throw new Error(`the sign-up failed with ${response.status}: ${await response.text()}`)
  const { user } = (await response.json()) as { user: { id: number } }
  signedUp.push({ url: shop.url, id: user.id })
  if (options.plan === 'pro') await shop.query(`UPDATE "User" SET "plan" = 'pro' WHERE "id" = $1`, [user.id])
  return { ...account, id: user.id, cookie: cookiesOf(response) }
}

/** The accounts that this process has created since the last hideSales(). */
const signedUp: { url: string; id: number }[] = []

/**
 * Takes the drops of every seller whom this process has created at this shop since the last call off sale and out of
 * all lists. Orders stay, because the books of the application contain them.
 */
export async function hideSales(shop: Shop): Promise<void> {
  const ids = signedUp.splice(0).flatMap(({ url, id }) => (url === shop.url ? [id] : []))
  if (ids.length === 0) return
  await shop.query(
    `UPDATE "Drop" SET "hiddenAt" = now(), "isActive" = false, "isFeatured" = false, "isPinned" = false
      WHERE "userId" = ANY($1) AND "hiddenAt" IS NULL`,
    [ids],
  )
}

/** Signs a browser in as a seller. */
export async function signIn(context: BrowserContext, seller: Seller, shop = testedApp()): Promise<void> {
  const cookies = seller.cookie.split('; ').map((cookie) => {
    const at = cookie.indexOf('=')
    return { name: cookie.slice(0, at), value: cookie.slice(at + 1), url: shop.url, httpOnly: true }
  })
  await context.addCookies(cookies)
}

export type DropFields = Record<string, string>

/** Returns the form fields of a valid drop. `fields` replace the defaults. */
export function goodFields(fields: DropFields = {}): DropFields {
  return {
    title: uniqueName('Mug'),
    description: 'Thrown by hand, glazed twice.\nHolds a large coffee.',
    price: '24.00',
    quantity: '3',
    productType: 'physical',
    duration: '24',
    ...fields,
  }
}

export function toForm(fields: DropFields, pictures: Picture[]): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  pictures.forEach((picture, at) =>
    form.set(`image${at}`, new Blob([new Uint8Array(picture.buffer)], { type: picture.mimeType }), picture.name),
  )
  return form
}

/** How long a busy machine may take to create a drop. */
const CREATE_MS = 290_000

export function postDrop(shop: Shop, seller: Pick<Seller, 'cookie'>, form: FormData): Promise<Response> {
  const headers = { cookie: seller.cookie }
  const signal = AbortSignal.timeout(CREATE_MS)
  return fetch(`${shop.url}/api/drops`, { method: 'POST', headers, body: form, signal })
}

export async function createDrop(
  shop: Shop,
  seller: Seller,
  fields: DropFields = {},
  pictures: Picture[] = [drawing()],
): Promise<SellerDropView> {
  const response = await postDrop(shop, seller, toForm(goodFields(fields), pictures))
  if (response.status !== 201) throw new Error(`the drop was refused: ${response.status} ${await response.text()}`)
  return (await response.json()) as SellerDropView
}

/** Creates a seller with a drop, and returns the application, the seller, the drop and the path of the drop's page. */
export async function createSellerAndDrop(
  fields: DropFields = {},
  options: { plan?: Plan; pictures?: Picture[] } = {},
): Promise<{ shop: Shop; seller: Seller; drop: SellerDropView; path: string }> {
  const shop = testedApp()
  const seller = await signUp(shop, options)
  const drop = await createDrop(shop, seller, fields, options.pictures)
  return { shop, seller, drop, path: `/drop/${drop.identifier}` }
}

type Answer<Body> = { status: number; body: Body; cookie: string }

type OpenedCheckout = Answer<{ url?: string; error?: string; code?: string; field?: string; work?: string }>

/**
 * Opens a hosted checkout without a browser, from a new network, and computes a proof of work if one is required.
 * `given` contains additional headers.
 */
export async function openCheckout(
  shop: Shop,
  dropId: number,
  given: Record<string, string> = {},
): Promise<OpenedCheckout> {
  const headers = { 'x-forwarded-for': freshAddress(), ...given }
  const ask = async (work?: string, cookie?: string): Promise<OpenedCheckout> => {
    const body = { dropId, productType: 'physical', ...(work ? { work } : {}) }
    const all = cookie ? { ...headers, cookie } : headers
    const response = await postJson(`${shop.url}/api/checkout/create-session`, body, all)
    return { status: response.status, body: await response.json(), cookie: cookiesOf(response) }
  }
  const first = await ask()
  if (!first.body.work) return first
  const cookie = [given.cookie, first.cookie].filter(Boolean).join('; ')
  return { ...(await ask(answerWork(first.body.work), cookie)), cookie }
}

export const CARD = {
  pays: '4242 4242 4242 4242',
  isDeclined: '4000 0000 0000 0002',
  asksFirst: '4000 0000 0000 3220',
}

/** Pays without a browser. `sessionId` is null if the payment was not accepted. */
export async function pay(checkoutUrl: string, email: string): Promise<{ status: number; sessionId: string | null }> {
  const response = await postJson(`${checkoutUrl}/pay`, { email, cardNumber: CARD.pays, name: 'Bea Buyer' })
  await response.arrayBuffer()
  const location = response.headers.get('location')
  return { status: response.status, sessionId: location ? new URL(location).searchParams.get('session_id') : null }
}

/** Buys one unit without a browser, and waits until the order is paid. Throws if the checkout or the payment fails. */
export async function buy(shop: Shop, dropId: number, email = `${uniqueName('buyer')}@example.com`) {
  const { status, body } = await openCheckout(shop, dropId)
  if (!body.url) throw new Error(`the checkout did not open: ${status} ${body.error}`)
  const paid = await pay(body.url, email)
  if (!paid.sessionId) throw new Error(`the payment failed with ${paid.status}`)
  // Reading the order settles it, so that the test does not wait for the webhook.
  const order = await fetch(`${shop.url}/api/order/${paid.sessionId}`)
  if (!order.ok) throw new Error(`the order cannot be read: ${order.status} ${await order.text()}`)
  return { sessionId: paid.sessionId, email, checkoutUrl: body.url }
}

/**
 * Makes a shipped order whose buyer has asked for a refund. If `answer` is given, the seller has declined the request
 * for this reason.
 */
export async function shippedAndAsked({ answer }: { answer?: string } = {}) {
  const { shop, seller, drop } = await createSellerAndDrop()
  await buy(shop, drop.id)
  const [order] = await shop.query<{ id: string; token: string }>(
    `UPDATE "Order" SET "status" = 'shipped', "shippedAt" = now() WHERE "dropId" = $1 AND "paidAt" IS NOT NULL
     RETURNING "id", "token"`,
    [drop.id],
  )
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  await fetch(`${shop.url}/o/${order!.token}/write`, {
    ...form,
    body: 'about=refund&text=Where+is+it',
    redirect: 'manual',
  })
  if (answer) {
    await shop.query(
      `UPDATE "Refund" SET "state" = 'declined', "answer" = $2, "settledAt" = now() WHERE "orderId" = $1`,
      [order!.id, answer],
    )
  }
  return { seller, ...order! }
}

export type StockRow = { quantity: number; sold: number; held: number }

export async function stockOf(shop: Shop, dropId: number): Promise<StockRow> {
  const text = 'SELECT "quantity", "sold", "held" FROM "Drop" WHERE "id" = $1'
  const [row] = await shop.query<StockRow>(text, [dropId])
  if (!row) throw new Error(`there is no drop ${dropId}`)
  return row
}

/** Moves a drop's dates so that it ends in the given number of seconds; a negative number puts the end in the past. */
export async function moveEnd(shop: Shop, dropId: number, seconds: number): Promise<void> {
  await shop.query(
    `UPDATE "Drop" SET "endTime" = now() + make_interval(secs => $2),
            "startedAt" = now() + make_interval(secs => $2) - make_interval(hours => "duration") WHERE "id" = $1`,
    [dropId, seconds],
  )
}

export type Mail = { to: string; subject: string; text: string; html: string; createdAt: string }

export async function mailTo(shop: Shop, address: string): Promise<Mail[]> {
  const response = await fetch(`${shop.url}/api/sandbox/mail?to=${encodeURIComponent(address)}`)
  return (await response.json()) as Mail[]
}

/**
 * Signs in a seller and opens the dashboard. The seller has a late parcel, a parcel to ship in time, a refund request,
 * a dispute with a deadline, and money that waits for a payout account.
 */
export async function openBusyDesk(page: Page): Promise<{ seller: Seller; drop: SellerDropView; orderIds: string[] }> {
  const { shop, seller, drop } = await createSellerAndDrop({ quantity: '9' })
  for (let count = 0; count < 4; count += 1) await buy(shop, drop.id)
  const orders = await shop.query<{ id: string }>(
    'SELECT "id" FROM "Order" WHERE "dropId" = $1 AND "paidAt" IS NOT NULL ORDER BY "paidAt"',
    [drop.id],
  )
  const orderIds = orders.map(({ id }) => id)
  const [late, asked, disputed] = orderIds
  await shop.query(`UPDATE "Order" SET "paidAt" = now() - interval '4 days' WHERE "id" = $1`, [late])
  await shop.query(`UPDATE "Order" SET "status" = 'shipped', "shippedAt" = now() WHERE "id" = $1`, [asked])
  await shop.query(
    `INSERT INTO "Refund" ("id", "orderId", "amountCents", "platformFeeCents", "state", "reason", "requestedBy")
     VALUES ($1, $2, 2400, 120, 'requested', 'It does not fit.', 'buyer')`,
    [`ref_${asked}`, asked],
  )
  await shop.query(`UPDATE "Order" SET "status" = 'disputed', "disputedAt" = now() WHERE "id" = $1`, [disputed])
  await shop.query(
    `INSERT INTO "Dispute" ("id", "orderId", "stripeDisputeId", "amountCents", "reason", "status", "dueAt")
     VALUES ($1, $2, $3, 2400, 'fraudulent', 'needs_response', now() + interval '36 hours')`,
    [`dis_${disputed}`, disputed, `du_${disputed}`],
  )
  await signIn(page.context(), seller)
  await page.goto('/')
  return { seller, drop, orderIds }
}

/** Opens what the dashboard keeps behind "More" at the first active drop. */
export async function openMore(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^More about / })
    .first()
    .click()
}
