import 'server-only'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import type Stripe from 'stripe'
import { formatUsd } from '@/lib/kernel/money'
import { formatDay } from '@/lib/kernel/time'
import { formatCardNumber, readCardNumber, TEST_CARDS } from '../payments/cards'
import { emit } from '../events/events'
import { idOf, unixSeconds } from '../ids'
import { createCard } from '../payments/payment-methods'
import { collect } from '../billing/renew-subscriptions'
import type { Store, Tx } from '../store'
import { isSubscriptionOver, itemOf } from '../billing/build-subscription'
import { setPortalCancel } from '../billing/subscriptions'
import { readSentBody, type SentFields } from './read-sent-body'
import { layout, pageResponse, type Html, type Page } from './layout'
import { noticePage } from './notice-page'

const ROOT = '/sandbox/billing'
const NOBODY = { id: null, idempotency_key: null }
const LIFETIME_SECONDS = 60 * 60

type Shown = {
  session: Stripe.BillingPortal.Session
  subscription: Stripe.Subscription | null
  invoices: Stripe.Invoice[]
  card: string | null
}

async function newestOf(tx: Tx, customerId: string): Promise<Stripe.Subscription | null> {
  const [row] = await tx.query<{ json: Stripe.Subscription }>(
    `SELECT "json" FROM "SandboxObject" WHERE "kind" = 'subscription' AND "json"->>'customer' = $1
      ORDER BY "json"->>'status' IN ('canceled', 'incomplete_expired'), "seq" DESC LIMIT 1 FOR UPDATE`,
    [customerId],
  )
  return row?.json ?? null
}

async function load(tx: Tx, id: string): Promise<Shown | null> {
  const session = await tx.find('billing_portal.session', id)
  if (!session || session.created + LIFETIME_SECONDS <= unixSeconds(tx.now())) return null
  const subscription = await newestOf(tx, session.customer)
  const invoices = await tx.query<{ json: Stripe.Invoice }>(
    `SELECT "json" FROM "SandboxObject" WHERE "kind" = 'invoice' AND "json"->>'customer' = $1 ORDER BY "seq" DESC LIMIT 20`,
    [session.customer],
  )
  const method = await tx.find('payment_method', idOf(subscription?.default_payment_method) ?? '')
  return { session, subscription, invoices: invoices.map(({ json }) => json), card: method?.card?.last4 ?? null }
}

function dateOf(seconds: number): string {
  return formatDay(new Date(seconds * 1000), 'UTC')
}

function planCard(subscription: Stripe.Subscription, action: string): Html {
  const item = itemOf(subscription)
  const price = `${formatUsd(item.price.unit_amount ?? 0)} per ${item.price.recurring?.interval ?? 'month'}`
  const end = dateOf(item.current_period_end)
  const state = isSubscriptionOver(subscription)
    ? 'Ended.'
    : subscription.status === 'incomplete'
      ? 'The first payment is missing.'
      : subscription.cancel_at
        ? `Ends on ${dateOf(subscription.cancel_at)}.`
        : `Renews on ${end}.`
  const [step, label] = subscription.cancel_at ? ['resume', 'Keep the plan'] : ['cancel', 'Cancel plan']
  return html`<section class="card">
    <h2>${price}</h2>
    <p>${subscription.status === 'past_due' ? 'The last payment failed. Please use another card.' : state}</p>
    ${
      isSubscriptionOver(subscription)
        ? ''
        : html`<form method="post" action="${action}">
            <button class="quiet" name="step" value="${step}">${label}</button>
          </form>`
    }
  </section>`
}

function portalPage({ session, subscription, invoices, card }: Shown): Page {
  const action = `${ROOT}/${session.id}`
  const cards = TEST_CARDS.filter(({ outcome }) => outcome === 'pays' || outcome === 'fails-later')
  return layout(
    'Your billing',
    html`<h1>Your billing</h1>
      ${subscription ? planCard(subscription, action) : html`<p class="card">There is no plan.</p>`}
      ${
        subscription && !isSubscriptionOver(subscription)
          ? html`<form class="card" method="post" action="${action}">
              <h2>Card${card ? html` ending in ${card}` : ''}</h2>
              <div class="field">
                <label for="cardNumber">Another card</label>
                <select id="cardNumber" name="cardNumber">
                  ${cards.map(
                    ({ number, hint }) =>
                      html`<option value="${number}">${formatCardNumber(number)} – ${hint}</option>`,
                  )}
                </select>
              </div>
              <button class="quiet" name="step" value="card">Use this card</button>
            </form>`
          : ''
      }
      <section class="card">
        <h2>Invoices</h2>
        <ul class="cards">
          ${invoices.map(
            (invoice) =>
              html`<li>
                ${dateOf(invoice.created)} <span class="num">${formatUsd(invoice.amount_due)}</span> ${invoice.status}
              </li>`,
          )}
        </ul>
      </section>
      ${session.return_url ? html`<p><a class="button primary" href="${session.return_url}">Go back</a></p>` : ''}`,
  )
}

async function takeStep(tx: Tx, { subscription }: Shown, sent: SentFields): Promise<void> {
  if (!subscription || isSubscriptionOver(subscription)) return
  if (sent.step === 'cancel' || sent.step === 'resume') {
    const previous = { cancel_at: subscription.cancel_at, cancel_at_period_end: subscription.cancel_at_period_end }
    setPortalCancel(tx, subscription, sent.step === 'cancel')
    await tx.save(subscription)
    await emit(tx, 'customer.subscription.updated', subscription, previous)
  }
  const digits = sent.step === 'card' ? readCardNumber(sent.cardNumber ?? '') : null
  if (!digits) return
  const card = { digits, expMonth: 12, expYear: tx.now().getUTCFullYear() + 3 }
  const billing = { address: null, email: null, name: null, phone: null, tax_id: null }
  const method = await createCard(tx, card, billing)
  subscription.default_payment_method = method.id
  await tx.save(subscription)
  const invoice = await tx.lock('invoice', idOf(subscription.latest_invoice) ?? '')
  if (subscription.status === 'past_due' && invoice?.status === 'open') await collect(tx, subscription, invoice)
}

function gone(): Promise<Response> {
  return pageResponse(noticePage({ title: 'This link has expired', text: 'Please open the billing page again.' }), 410)
}

/** Adds the billing portal, where a customer cancels or keeps the plan, changes the card and sees the invoices. */
export function addBillingPages(app: Hono, store: Store): void {
  app.get(`${ROOT}/:id`, async ({ req }) => {
    const shown = await store.transaction(NOBODY, (tx) => load(tx, req.param('id')))
    return shown ? pageResponse(portalPage(shown), 200) : gone()
  })
  app.post(`${ROOT}/:id`, async ({ req }) => {
    const body = await readSentBody(req.raw)
    const shown = await store.transaction(NOBODY, async (tx) => {
      const found = await load(tx, req.param('id'))
      if (found && body.ok) await takeStep(tx, found, body.fields)
      return found
    })
    if (!shown) return gone()
    return new Response(null, {
      status: 303,
      headers: { location: `${ROOT}/${shown.session.id}`, 'cache-control': 'no-store' },
    })
  })
}
