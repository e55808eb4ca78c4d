import type Stripe from 'stripe'
import { database, db } from '@/lib/infra/db'
import { type Context, systemContext } from '@/lib/infra/context'
import { newSecret } from '@/lib/kernel/id'
import { standIn } from '@/lib/infra/stripe'
import { startCheckout, type StartCheckoutInput, type StartedCheckout } from '@/lib/orders/start-checkout'
import { receiveStripeEvent } from '@/lib/webhooks/receive-stripe-event'
import { AppError } from '@/lib/kernel/app-error'
import { chance } from './chance'
import { visitor } from './factories'
import { answerWork } from './work'

/** Starts a checkout, and does the work that is asked for. */
export async function startBuying(ctx: Context, buyer: Omit<StartCheckoutInput, 'proof'>): Promise<StartedCheckout> {
  return startCheckout(ctx, buyer).catch((error: unknown) => {
    if (!(error instanceof AppError) || !error.work) throw error
    return startCheckout(ctx, { ...buyer, proof: { given: answerWork(error.work), kind: 'work' } })
  })
}

/** Makes the holds of a drop, and the rush for it, look as if they had begun earlier. */
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
  ]) {
    await database().sql.unprepared(
      `UPDATE "${table}" SET "contestedSince" = "contestedSince" - make_interval(secs => :seconds::float8)
        WHERE "${key}" = :dropId`,
      { dropId, seconds },
    )
  }
}

/**
 * Opens a hosted checkout as a visitor, up to the card page. Where sessions are paced it asks again until its turn comes; a
 * call within the last second and a half of the wait is answered only when the wait is over.
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

/**
 * Pays on the stand-in's card page. By default it also waits until Stripe has settled the payment and knows its card fee;
 * with `settles: false` both are still to come, as they can be at Stripe.
 */
export async function pay(
  url: string,
  cardNumber = '4242424242424242',
  { settles = true }: { settles?: boolean } = {},
): Promise<Response> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const response = await local.pages(
    new Request(`${url}/pay`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'Bea@example.com', cardNumber, name: 'Bea Buyer' }),
    }),
  )
  if (settles) await local.settleDue()
  return response
}

/** Presses a button on the stand-in's onboarding page. @returns the address it leads to. */
export async function onboard(url: string, step: string): Promise<string | null> {
  const local = standIn()
  if (!local) throw new Error('the sandbox is off')
  const response = await local.pages(new Request(url, { method: 'POST', body: new URLSearchParams({ step }) }))
  if (response.status !== 303) throw new Error(`the onboarding page answered ${response.status}`)
  return response.headers.get('location')
}

/** Pays with a client secret, as the form on our own page does. */
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

/** A test that makes more events than this has its own way of delivering them. */
const MOST_EVENTS = 60

/**
 * Delivers the newest events that Stripe has to report, in any order, some twice, as Stripe may (docs.stripe.com/webhooks).
 * The order comes from the seed of the test file, which is printed when a test fails.
 */
export async function deliverEvents(): Promise<void> {
  const where = { deliveredAt: null }
  const rows = await db().sandboxDelivery.findMany({ where, orderBy: { id: 'desc' }, take: MOST_EVENTS })
  const events = rows.map(({ payload }) => JSON.parse(payload) as Stripe.Event)
  const doubled = events.filter(() => chance.below(3) === 0)
  for (const event of chance.shuffle([...events, ...doubled])) await receiveStripeEvent(systemContext('test'), event)
  await db().sandboxDelivery.updateMany({ where, data: { deliveredAt: new Date() } })
}
