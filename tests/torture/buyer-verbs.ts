import { setTimeout as sleep } from 'node:timers/promises'
import { answerWorkInSteps, readWork } from '../support/work'
import { call, json } from './call'
import type { Step } from './plan-storm'
import type { TortureDrop, World } from './start-world'

/** A checkout that a buyer has open, or had: late payments are part of the storm. */
type Checkout = { url: string; sessionId: string; drop: TortureDrop; buyer: Buyer }

type Buyer = { name: string; email: string; headers: Record<string, string> }

/** What buyers remember of the storm so far. */
export type BuyersMemory = { checkouts: Checkout[]; secrets: { secret: string; buyer: Buyer }[]; paid: string[] }

export const newMemory = (): BuyersMemory => ({ checkouts: [], secrets: [], paid: [] })

const CARDS = [
  ...Array.from({ length: 9 }, () => '4242424242424242'),
  ...Array.from({ length: 3 }, () => '4000000000000341'),
  '4000000000000259', // disputed
  '4000000000001976', // the bank asks about it
  '4000000000007726', // its refunds are pending at first
  '4000000000005126', // its refunds fail later
  '4000000000000002', // declined
]
/** A seller's limit counts cards. On drops with a limit no refund may fail later: the order would count again. */
const PLAIN_CARDS = ['4242424242424242', '4000000000000341', '4000000000001976']

/** A proof of work that may take more hashes than this is not done, because it would hold up the storm. */
const MOST_WORK = 400_000
const COOKIE_LETTERS = 43
const LINE_MS = 1_500

const pickOf = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % Math.max(1, items.length)]

/** Picks a newer item more often than an older one, so that most checkouts are still open when they are paid. */
const pickLate = <Item>(items: readonly Item[], pick: number): Item | undefined =>
  pick % 5 === 0 ? pickOf(items, pick) : pickOf(items.slice(-6), pick)

function buyerOf({ plan }: World, { buyer, pick }: Step): Buyer {
  // Some buyers come back with a new browser, and some with a tag in their email address.
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

const dropOf = ({ drops }: World, { drop }: Step): TortureDrop => drops[drop % drops.length]!

const appUrl = ({ apps }: World, { app }: Step): string => apps[app].url

/** Reads what the polled call says about a drop. */
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

/** Asks for a hold, and does the proof of work if one is needed and is not too large. */
async function hold(world: World, step: Step, path: string, more: object, verb: string) {
  const [drop, buyer] = [dropOf(world, step), buyerOf(world, step)]
  const asked = {
    actor: buyer.name,
    verb,
    app: step.app,
    about: { drop: drop.id, quantity: step.quantity },
    url: appUrl(world, step) + path,
  }
  const body = { dropId: drop.id, ...more }
  let answer = await call(world, { ...asked, init: json(body, buyer.headers) })
  const token = answer.status === 429 ? /"work":"([^"]+)"/.exec(answer.body)?.[1] : undefined
  if (token && readWork(token).work <= MOST_WORK) {
    const work = await answerWorkInSteps(token)
    answer = await call(world, { ...asked, init: json({ ...body, work }, buyer.headers) })
  }
  return { answer, drop, buyer }
}

/** Presses the buy button. */
export async function open(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const press = () => hold(world, step, '/api/checkout/create-session', { quantity: step.quantity }, 'open')
  let { answer, drop, buyer } = await press()
  // A buyer who waits in line for the payment page asks again.
  if (answer.status === 202) {
    await sleep(LINE_MS)
    ;({ answer, drop, buyer } = await press())
  }
  const url = answer.status === 200 ? (JSON.parse(answer.body) as { url: string }).url : null
  if (url) memory.checkouts.push({ url, sessionId: new URL(url).pathname.split('/').at(-1) ?? '', drop, buyer })
}

/** Opens the card form on our own page. */
export async function openEmbedded(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const { answer, buyer } = await hold(
    world,
    { ...step, quantity: 1 },
    '/api/create-payment-intent',
    {},
    'openEmbedded',
  )
  if (answer.status !== 200) return
  memory.secrets.push({ secret: (JSON.parse(answer.body) as { clientSecret: string }).clientSecret, buyer })
}

const address = {
  name: 'Bea Buyer',
  line1: '1 Long Lane',
  city: 'London',
  postalCode: 'N1 7GU',
  country: 'GB',
  phone: '+15555550100',
}

/** Pays at Stripe, on its page or in the embedded form. `times`: how often the button is pressed at the same moment. */
export async function pay(world: World, step: Step, memory: BuyersMemory, times = 1): Promise<void> {
  const embedded = step.pick % 6 === 0 ? pickLate(memory.secrets, step.card) : undefined
  if (embedded) return payEmbedded(world, embedded, step)
  const checkout = pickLate(memory.checkouts, step.pick)
  if (!checkout) return
  const { drop, buyer, sessionId, url } = checkout
  const cards = drop.maxPerBuyer === null ? CARDS : PLAIN_CARDS
  const body = { ...address, email: buyer.email, cardNumber: pickOf(cards, step.card) }
  const about = { drop: drop.id, session: sessionId }
  const asked = { actor: buyer.name, verb: 'pay', app: -1, about, url: `${url}/pay`, init: json(body) }
  const answers = await Promise.all(Array.from({ length: times }, () => call(world, asked)))
  if (answers.some(({ status }) => status === 303)) memory.paid.push(sessionId)
  // Most buyers stop once they have paid or have read that the checkout is over; some press once more.
  const isOver = answers.some(({ status }) => [303, 410].includes(status))
  if (isOver && step.card % 6 > 0) memory.checkouts = memory.checkouts.filter((one) => one !== checkout)
}

async function payEmbedded(
  world: World,
  { secret, buyer }: { secret: string; buyer: Buyer },
  step: Step,
): Promise<void> {
  const intent = secret.split('_secret_')[0] ?? ''
  const body = {
    clientSecret: secret,
    ...address,
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

/** Turns back on the card page. */
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

/** Reads the purchase after paying, as the success page's script does. */
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

/** Comes back from Stripe's page. */
export async function readSuccessPage(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const session = pickLate(memory.paid, step.pick)
  if (!session) return
  const url = `${appUrl(world, step)}/success-payment?session_id=${session}`
  await call(world, { actor: 'buyer', verb: 'readSuccessPage', app: step.app, about: { session }, url })
}
