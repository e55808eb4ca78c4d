import { setTimeout as sleep } from 'node:timers/promises'
import { answerWorkInSteps, readWork } from '../support/work'
import { call, json } from './call'
import type { Step } from './plan-storm'
import type { TortureDrop, World } from './start-world'

/** A checkout that a buyer has opened. It may have ended, because late payments are part of the storm. */
type Checkout = { url: string; sessionId: string; drop: TortureDrop; buyer: Buyer; country?: string | undefined }

type Buyer = { name: string; email: string; headers: Record<string, string> }

/** The checkouts and payments of the storm so far, from which later steps choose. */
export type BuyersMemory = {
  checkouts: Checkout[]
  secrets: { secret: string; buyer: Buyer; country?: string | undefined }[]
  paid: string[]
}

/** What a buyer chooses in addition to the quantity. All fields but the quantity are fields of the calls. */
export type Wanted = {
  quantity: number
  code?: string | undefined
  country?: string | undefined
  early?: string | undefined
  selectedVariants?: { Size: string } | undefined
}

export const newMemory = (): BuyersMemory => ({ checkouts: [], secrets: [], paid: [] })

const CARDS = [
  ...Array.from({ length: 9 }, () => '4242424242424242'),
  ...Array.from({ length: 3 }, () => '4000000000000341'),
  '4000000000000259', // The payment is disputed.
  '4000000000001976', // The bank opens an inquiry.
  '4000000000007726', // Refunds are pending at first.
  '4000000000005126', // Refunds fail later.
  '4000000000000002', // The card is declined.
]
/**
 * The cards for drops with a limit per buyer, and for embedded checkouts, whose drop may have such a limit. The limit
 * counts the orders of a card, and an order whose refund failed would count again. None of these cards therefore has
 * refunds that fail later.
 */
const PLAIN_CARDS = ['4242424242424242', '4000000000000341', '4000000000001976']

/** The most hashes that a buyer computes for a proof of work. A longer computation would delay the storm. */
const MAX_WORK = 400_000
const COOKIE_LETTERS = 43
const LINE_MS = 1_500

export const pickOf = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  items[pick % Math.max(1, items.length)]

/** Picks a newer item more often than an older one, so that most checkouts are still open when they are paid. */
const pickLate = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  pick % 5 === 0 ? pickOf(items, pick) : pickOf(items.slice(-6), pick)

function buyerOf({ plan }: World, { buyer, pick }: Step): Buyer {
  // A buyer uses one of four browsers and one of three networks, and sometimes a tag in the email address.
  const browser = `b${plan.seed}x${buyer}x${pick % 4}`
  const tag = pick % 7 === 0 ? `+${pick % 3}` : ''
  return {
    name: `buyer${buyer}`,
    email: `buyer${buyer}${tag}@example.com`,
    headers: {
      'x-forwarded-for': `45.${buyer}.${pick % 3}.7`,
      cookie: `lastcall-buyer=${browser.padEnd(COOKIE_LETTERS, 'z').slice(0, COOKIE_LETTERS)}`,
    },
  }
}

export const dropOf = ({ drops }: World, { drop }: Step): TortureDrop => drops[drop % drops.length]!

export const appUrl = ({ apps }: World, { app }: Step): string => apps[app].url

/** Requests a drop from the API, as open pages do regularly. */
export async function look(world: World, step: Step): Promise<void> {
  const drop = dropOf(world, step)
  const url = `${appUrl(world, step)}/api/drop/${drop.identifier}`
  await call(world, { actor: 'visitor', verb: 'look', app: step.app, about: { drop: drop.id }, url })
}

/** Opens the drop's page. */
export async function lookAtPage(world: World, step: Step): Promise<void> {
  const drop = dropOf(world, step)
  const url = `${appUrl(world, step)}/drop/${drop.identifier}`
  await call(world, { actor: 'visitor', verb: 'lookAtPage', app: step.app, about: { drop: drop.id }, url })
}

/** Requests a hold, and computes the proof of work if one is required and is not too large. */
async function hold(world: World, step: Step, path: string, more: Partial<Wanted>, verb: string) {
  const [drop, buyer] = [dropOf(world, step), buyerOf(world, step)]
  const { code, country, early, selectedVariants } = more
  const chosen = { code, country, early, value: selectedVariants?.Size }
  const asked = {
    actor: buyer.name,
    verb,
    app: step.app,
    about: {
      drop: drop.id,
      quantity: more.quantity ?? 1,
      ...(JSON.parse(JSON.stringify(chosen)) as Record<string, string>),
    },
    url: appUrl(world, step) + path,
  }
  const body = { dropId: drop.id, ...more }
  let answer = await call(world, { ...asked, init: json(body, buyer.headers) })
  const token = answer.status === 429 ? /"work":"([^"]+)"/.exec(answer.body)?.[1] : undefined
  if (token && readWork(token).work <= MAX_WORK) {
    const work = await answerWorkInSteps(token)
    answer = await call(world, { ...asked, init: json({ ...body, work }, buyer.headers) })
  }
  return { answer, drop, buyer }
}

/** Opens a hosted checkout, as the Buy button does. */
export async function open(
  world: World,
  step: Step,
  memory: BuyersMemory,
  wanted: Wanted = { quantity: step.quantity },
): Promise<void> {
  const press = () => hold(world, step, '/api/checkout/create-session', wanted, 'open')
  let { answer, drop, buyer } = await press()
  // The status 202 means that the buyer has to wait for the payment page. The buyer asks once more after a pause.
  if (answer.status === 202) {
    await sleep(LINE_MS)
    ;({ answer, drop, buyer } = await press())
  }
  const url = answer.status === 200 ? (JSON.parse(answer.body) as { url: string }).url : null
  const sessionId = new URL(url ?? world.stripe.url).pathname.split('/').at(-1) ?? ''
  if (url) memory.checkouts.push({ url, sessionId, drop, buyer, country: wanted.country })
}

/** Opens an embedded checkout, as the card form on our own page does. */
export async function openEmbedded(
  world: World,
  step: Step,
  memory: BuyersMemory,
  wanted: Omit<Wanted, 'quantity'> = {},
): Promise<void> {
  const { answer, buyer } = await hold(world, step, '/api/create-payment-intent', wanted, 'openEmbedded')
  if (answer.status !== 200) return
  const { clientSecret: secret } = JSON.parse(answer.body) as { clientSecret: string }
  memory.secrets.push({ secret, buyer, country: wanted.country })
}

const OTHER_COUNTRY = 'IT'
export const address = {
  name: 'Bea Buyer',
  line1: '1 Long Lane',
  city: 'London',
  postalCode: 'N1 7GU',
  country: 'GB',
  phone: '+15555550100',
}

/**
 * Pays on Stripe's page or in the embedded form. On the page, the button is pressed `times` times at the same moment.
 */
export async function pay(world: World, step: Step, memory: BuyersMemory, times = 1): Promise<void> {
  const embedded = step.pick % 6 === 0 ? pickLate(memory.secrets, step.card) : undefined
  if (embedded) return payEmbedded(world, embedded, step)
  const checkout = pickLate(memory.checkouts, step.pick)
  if (checkout) await payCheckout(world, checkout, { step, memory, times })
}

type Payment = { step: Step; memory: BuyersMemory; times?: number }

/** Pays a checkout on Stripe's page. The button is pressed `times` times at the same moment. */
export async function payCheckout(world: World, checkout: Checkout, { step, memory, times = 1 }: Payment) {
  const { drop, buyer, sessionId, url, country = address.country } = checkout
  const cards = drop.maxPerBuyer === null ? CARDS : PLAIN_CARDS
  const body = { ...address, country, email: buyer.email, cardNumber: pickOf(cards, step.card) }
  const about = { drop: drop.id, session: sessionId }
  const asked = { actor: buyer.name, verb: 'pay', app: -1, about, url: `${url}/pay`, init: json(body) }
  const answers = await Promise.all(Array.from({ length: times }, () => call(world, asked)))
  if (answers.some(({ status }) => status === 303)) memory.paid.push(sessionId)
  // Most buyers stop when they have paid or when the checkout has ended, but some try to pay again later.
  const isOver = answers.some(({ status }) => [303, 410].includes(status))
  if (isOver && step.card % 6 > 0) memory.checkouts = memory.checkouts.filter((one) => one !== checkout)
}

async function payEmbedded(
  world: World,
  { secret, buyer, country = address.country }: BuyersMemory['secrets'][number],
  step: Step,
): Promise<void> {
  const intent = secret.split('_secret_')[0] ?? ''
  const body = {
    clientSecret: secret,
    ...address,
    // A manipulated page may send a country other than the chosen one. Such a payment buys nothing.
    country: step.pick % 7 === 0 ? OTHER_COUNTRY : country,
    shippingName: address.name,
    email: buyer.email,
    cardNumber: pickOf(PLAIN_CARDS, step.card),
  }
  const url = `${world.stripe.url}/sandbox/elements/${intent}/confirm`
  await call(world, {
    actor: buyer.name,
    verb: 'payEmbedded',
    app: -1,
    about: { session: intent },
    url,
    init: json(body),
  })
}

/** Leaves Stripe's page through its link back to the drop. */
export async function abandon(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const checkout = pickLate(memory.checkouts, step.pick)
  if (!checkout) return
  const { rows } = await world.stripePool.query<{ back: string }>(
    `SELECT "json"->>'cancel_url' AS "back" FROM "SandboxObject" WHERE "id" = $1`,
    [checkout.sessionId],
  )
  if (!rows[0]) return
  const { pathname, search } = new URL(rows[0].back)
  const about = { drop: checkout.drop.id, session: checkout.sessionId }
  await call(world, {
    actor: checkout.buyer.name,
    verb: 'abandon',
    app: step.app,
    about,
    url: appUrl(world, step) + pathname + search,
  })
}

/** Reads a paid order from the API, as the script of the success page does. */
export async function readOrder(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const session = pickLate(memory.paid, step.pick)
  if (!session) return
  await call(world, {
    actor: 'buyer',
    verb: 'readOrder',
    app: step.app,
    about: { session },
    url: `${appUrl(world, step)}/api/order/${session}`,
  })
}

/** Opens the success page, to which Stripe sends buyers after the payment. */
export async function readSuccessPage(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const session = pickLate(memory.paid, step.pick)
  if (!session) return
  const url = `${appUrl(world, step)}/success-payment?session_id=${session}`
  await call(world, { actor: 'buyer', verb: 'readSuccessPage', app: step.app, about: { session }, url })
}
