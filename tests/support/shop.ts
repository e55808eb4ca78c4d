import type Stripe from 'stripe'
import { database, db } from '@/lib/infra/db'
import { type Context, systemContext } from '@/lib/infra/context'
import { newSecret } from '@/lib/kernel/id'
import { standIn } from '@/lib/infra/stripe'
import type { FaultSettings } from '@/lib/sandbox/stripe/create-fault-box'
import type { StandIn } from '@/lib/sandbox/stripe/stand-in'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startCheckout, type StartCheckoutInput, type StartedCheckout } from '@/lib/checkout/start-checkout'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { AppError } from '@/lib/kernel/app-error'
import { chance } from './chance'
import { visitor } from './factories'
import { answerWork } from './work'

/** Starts a checkout, and computes the proof of work if one is required. */
export async function startBuying(ctx: Context, buyer: Omit<StartCheckoutInput, 'proof'>): Promise<StartedCheckout> {
  return startCheckout(ctx, buyer).catch((error: unknown) => {
    if (!(error instanceof AppError) || !error.work) throw error
    return startCheckout(ctx, { ...buyer, proof: { given: answerWork(error.work), kind: 'work' } })
  })
}

/**
 * Makes a drop's holds older: moves the times at which they were taken, opened and settled into the past. The times
 * since which the drop, its option values and its codes are contested move as well. The times at which holds expire do
 * not change.
 */
export async function ageHolds(dropId: number, seconds: number): Promise<void> {
  await database().sql.unprepared(
    `UPDATE "Hold" SET "createdAt" = "createdAt" - make_interval(secs => :seconds::float8),
                       "settledAt" = "settledAt" - make_interval(secs => :seconds::float8),
                       "openingSince" = "openingSince" - make_interval(secs => :seconds::float8) WHERE "dropId" = :dropId`,
    { dropId, seconds },
  )
  for (const [table, key] of [
    ['Drop', 'id'],
    ['OptionValue', 'dropId'],
    ['DiscountCode', 'dropId'],
  ]) {
    await database().sql.unprepared(
      `UPDATE "${table}" SET "contestedSince" = "contestedSince" - make_interval(secs => :seconds::float8)
        WHERE "${key}" = :dropId`,
      { dropId, seconds },
    )
  }
}

/**
 * Opens a hosted checkout as a new visitor, and returns the URL of the payment page and the id of the session. If the
 * buyer has to wait for a session at Stripe, the function tries again until the session exists.
 */
export async function openCheckout(
  dropId: number,
  options: Partial<Omit<StartCheckoutInput, 'dropId' | 'proof'>> = {},
) {
  const ctx = visitor()
  const buyer = { quantity: 1, buyerToken: newSecret(), ...options, dropId }
  let started = await startBuying(ctx, buyer)
  while (!('url' in started)) started = await startBuying(ctx, buyer)
  const { url } = started
  return { url, sessionId: new URL(url).pathname.split('/').at(-1) ?? '' }
}

/** Calls `run` while the stand-in settles payments late. Other faults of the stand-in stay as they are. */
async function whileSettlingLate<T>(local: StandIn, run: () => Promise<T>): Promise<T> {
  const row = await db().sandboxObject.findUnique({ where: { id: '~faults' } })
  const faults = (row?.json ?? { api: null, deliveries: null }) as FaultSettings
  await local.setFaults({ ...faults, settlesLate: true })
  return run().finally(() => local.setFaults(faults))
}

/**
 * Pays on the stand-in's payment page. By default the stand-in settles the payment right away, so that its card
 * fee is known. With `settles: false` this happens later, as it may at Stripe (docs/stripe-rules.md, C1).
 */
export async function pay(
  url: string,
  cardNumber = '4242424242424242',
  { settles = true }: { settles?: boolean } = {},
): Promise<Response> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const submit = () =>
    local.pages(
      new Request(`${url}/pay`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'Bea@example.com', cardNumber, name: 'Bea Buyer' }),
      }),
    )
  if (!settles) return whileSettlingLate(local, submit)
  const response = await submit()
  await local.settleDue()
  return response
}

/**
 * Pays, and settles the order. The seed of the test file decides whether the application reads the payment before or
 * after the card fee is known (docs/stripe-rules.md, C1). In the first case the fee arrives with `charge.updated`.
 */
export async function payAndSettle(url: string, sessionId: string, cardNumber?: string): Promise<void> {
  const isFeeLate = chance.below(2) === 0
  await pay(url, cardNumber, { settles: !isFeeLate })
  await settleCheckout(systemContext('test'), sessionId)
  if (!isFeeLate) return
  await standIn()!.settleDue()
  const where = { deliveredAt: null, payload: { contains: '"charge.updated"' } }
  const [newest] = await db().sandboxDelivery.findMany({ where, orderBy: { id: 'desc' }, take: 1 })
  if (!newest) throw new Error('the payment did not settle')
  await receiveStripeEvent(systemContext('test'), JSON.parse(newest.payload) as Stripe.Event)
}

/**
 * A card that pays like 4242…, but whose money is available right away (docs/contract.md#test-cards), so that a
 * transfer of the money can be reversed.
 */
export const AVAILABLE_AT_ONCE = '4000000000000077'

/**
 * Moves the balance transactions of the stand-in into the past. The default is enough for pending money to be
 * available.
 */
export async function passDays(days = 3): Promise<void> {
  await database().sql.unprepared(
    `UPDATE "SandboxObject" SET "json" = "json" || jsonb_build_object(
            'created', ("json"->>'created')::bigint - :seconds::bigint, 'available_on', ("json"->>'available_on')::bigint - :seconds::bigint)
      WHERE "kind" = 'balance_transaction'`,
    { seconds: days * 24 * 60 * 60 },
  )
}

/** Presses a button on the stand-in's onboarding page. @returns the URL to which the page redirects. */
export async function onboard(url: string, step: string): Promise<string | null> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const response = await local.pages(new Request(url, { method: 'POST', body: new URLSearchParams({ step }) }))
  if (response.status !== 303) throw new Error(`the onboarding page returned ${response.status}`)
  return response.headers.get('location')
}

/** Pays with a client secret, as the card form on our own page does. */
export async function payEmbedded(clientSecret: string, fields: Record<string, string> = {}): Promise<Response> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const buyer = {
    email: 'Bea@example.com',
    cardNumber: '4242424242424242',
    shippingName: 'Bea Buyer',
    line1: '1 Long Lane',
    city: 'London',
    postalCode: 'N1 7GU',
    country: 'GB',
    phone: '+15555550100',
  }
  const isAnswer = fields.confirm !== undefined
  const response = await local.pages(
    new Request(`http://localhost:3000/sandbox/elements/${clientSecret.split('_secret_')[0]}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientSecret, ...(isAnswer ? {} : buyer), ...fields }),
    }),
  )
  await local.settleDue()
  return response
}

/**
 * The most events that one call of deliverEvents() delivers. A test that makes more has to deliver the older ones
 * itself.
 */
const MAX_EVENTS = 60

/**
 * Delivers the newest undelivered events in a random order, and some of them twice, as Stripe may
 * (docs.stripe.com/webhooks). Then it marks all events as delivered, including older ones. The order comes from the
 * seed of the test file, which is printed when a test fails.
 */
export async function deliverEvents(): Promise<void> {
  const where = { deliveredAt: null }
  const rows = await db().sandboxDelivery.findMany({ where, orderBy: { id: 'desc' }, take: MAX_EVENTS })
  const events = rows.map(({ payload }) => JSON.parse(payload) as Stripe.Event)
  const doubled = events.filter(() => chance.below(3) === 0)
  for (const event of chance.shuffle([...events, ...doubled])) await receiveStripeEvent(systemContext('test'), event)
  await db().sandboxDelivery.updateMany({ where, data: { deliveredAt: new Date() } })
}
