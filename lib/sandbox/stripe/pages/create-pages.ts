import 'server-only'
import { Hono } from 'hono'
import type Stripe from 'stripe'
import type { SandboxLog } from '../call'
import { findSession } from '../payments/expire-session'
import { idOf } from '../ids'
import type { CheckoutPlan } from '../objects'
import type { Store, Tx } from '../store'
import { addBillingPages } from './add-billing-pages'
import { readSentBody, type SentFields } from './read-sent-body'
import { cardPage, type Item } from './card-page'
import { confirmPage } from './confirm-page'
import { addConnectPages } from './add-connect-pages'
import { addElementsEndpoints } from './add-elements-endpoints'
import { pageResponse } from './layout'
import { noticePage } from './notice-page'
import { pay, type PayOutcome } from './pay'

type PagesOptions = { store: Store; log: SandboxLog }

const ROOT = '/sandbox/checkout'
const NOBODY = { id: null, idempotency_key: null }

function wantsJson(request: Request): boolean {
  const type = request.headers.get('content-type') ?? ''
  return type.startsWith('application/json') || (request.headers.get('accept') ?? '').includes('application/json')
}

/** Whether a payment came from a browser. Other clients get the outcome as JSON, whether they send JSON or a form. */
const isFromBrowser = (request: Request) => (request.headers.get('accept') ?? '').includes('text/html')

type Refusal = { status: number; code: string; message: string; param?: string; decline_code?: string }

function jsonError({ status, ...error }: Refusal): Response {
  const type = status === 402 ? 'card_error' : 'invalid_request_error'
  return Response.json({ error: { type, ...error } }, { status, headers: { 'cache-control': 'no-store' } })
}

function successUrl(session: Stripe.Checkout.Session): string {
  return new URL((session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)).href
}

async function itemsOf(tx: Tx, plan: CheckoutPlan): Promise<Item[]> {
  const items: Item[] = []
  for (const line of plan.lineItems) {
    const productId = idOf(line.price?.product)
    const product = productId && (await tx.find('product', productId))
    items.push({
      name: line.description ?? '',
      image: (product && product.images[0]) || null,
      quantity: line.quantity ?? 1,
      amountCents: line.amount_total,
      recurring: line.price?.recurring ?? null,
    })
  }
  return items
}

function unknownPage(): Promise<Response> {
  const text = 'The link may be incomplete. Go back to the drop and start again.'
  const link = { href: '/', label: 'Go home' }
  return pageResponse(noticePage({ title: "This checkout doesn't exist", text, link }), 404)
}

function expiredPage({ cancel_url }: Stripe.Checkout.Session): Promise<Response> {
  const link = cancel_url ? { href: cancel_url, label: 'Go back' } : null
  const text = "You weren't charged. Go back and start again."
  return pageResponse(noticePage({ title: 'This checkout has expired', text, link }), 410)
}

function paidPage(session: Stripe.Checkout.Session): Promise<Response> {
  const link = { href: successUrl(session), label: 'Continue' }
  return pageResponse(
    noticePage({ title: "You've already paid", text: 'You were charged once. Continue to your order.', link }),
    410,
  )
}

async function showCard(tx: Tx, id: string): Promise<() => Promise<Response>> {
  const session = await findSession(tx, id)
  const plan = session && (await tx.find('~checkout_plan', `${session.id}~plan`))
  if (!plan) return unknownPage
  if (session.status === 'complete') return () => paidPage(session)
  if (session.status !== 'open') return () => expiredPage(session)
  const items = await itemsOf(tx, plan)
  const page = cardPage({ session, items, payUrl: payUrlOf(id), now: tx.now() })
  return () => pageResponse(page, 200, formTargets(session))
}

function payUrlOf(id: string): string {
  return `${ROOT}/${encodeURIComponent(id)}/pay`
}

function formTargets(session: Stripe.Checkout.Session): string[] {
  return [new URL(successUrl(session)).origin]
}

/** The redirect after a payment. Its status is 303, so that the browser follows it with GET. */
function toSuccess(session: Stripe.Checkout.Session): Response {
  return new Response(null, { status: 303, headers: { location: successUrl(session), 'cache-control': 'no-store' } })
}

function answerAsJson(outcome: PayOutcome): Response {
  switch (outcome.kind) {
    case 'unknown':
      return jsonError({ status: 404, code: 'resource_missing', message: 'This checkout does not exist.' })
    case 'expired':
      return jsonError({ status: 410, code: 'session_expired', message: 'This checkout has expired.' })
    case 'paid':
      return toSuccess(outcome.session)
    case 'asks-first':
      return jsonError({
        status: 402,
        code: 'authentication_required',
        message: 'Your bank asks you to confirm this payment. Send it again with "confirm": true.',
      })
    case 'declined': {
      const { code = 'card_declined', message, decline_code } = outcome.error
      return jsonError({ status: 402, code, message, ...(decline_code && { decline_code }) })
    }
    case 'invalid': {
      const [first] = outcome.errors
      if (!first) return jsonError({ status: 400, code: 'parameter_invalid', message: 'Something is missing.' })
      const { isCardError, field: param, ...error } = first
      return jsonError({ status: isCardError ? 402 : 400, param, ...error })
    }
  }
}

function answerAsPage(outcome: PayOutcome, items: Item[], sent: SentFields, now: Date): Response | Promise<Response> {
  if (outcome.kind === 'unknown') return unknownPage()
  const { session } = outcome
  const page = { session, items, payUrl: payUrlOf(session.id), now, sent }
  const targets = formTargets(session)
  switch (outcome.kind) {
    case 'expired':
      return expiredPage(session)
    case 'paid':
      return toSuccess(session)
    case 'asks-first':
      return pageResponse(confirmPage(session, page.payUrl, now), 402, targets)
    case 'declined':
      return pageResponse(cardPage({ ...page, refusal: outcome.error.message }), 402, targets)
    case 'invalid': {
      const status = outcome.errors.every((error) => error.isCardError) ? 402 : 400
      return pageResponse(cardPage({ ...page, errors: outcome.errors }), status, targets)
    }
  }
}

async function handlePay(request: Request, id: string, store: Store): Promise<Response> {
  const body = await readSentBody(request)
  const isJson = wantsJson(request) || !isFromBrowser(request)
  if (!body.ok) {
    const { status, message } = body
    if (isJson) return jsonError({ status, code: 'parameter_invalid', message })
    return pageResponse(noticePage({ title: 'Something went wrong', text: message }), status)
  }
  const { outcome, items, now } = await store.transaction(NOBODY, async (tx) => {
    const result = await pay(tx, id, body.fields)
    const paid = isJson || result.kind === 'unknown' ? [] : await itemsOf(tx, result.plan)
    return { outcome: result, items: paid, now: tx.now() }
  })
  return isJson ? answerAsJson(outcome) : answerAsPage(outcome, items, body.fields, now)
}

/**
 * Creates the handler for requests from browsers: the payment pages, onboarding, the billing portal and the calls of
 * Stripe's script. None of these gives access to the secret-key API, and all of them ignore an Authorization header.
 */
export function createPages({ store, log }: PagesOptions): (request: Request) => Promise<Response> {
  const app = new Hono()
  app.get(`${ROOT}/:id`, async ({ req }) => {
    const show = await store.transaction(NOBODY, (tx) => showCard(tx, req.param('id')))
    return show()
  })
  app.post(`${ROOT}/:id/pay`, ({ req }) => handlePay(req.raw, req.param('id'), store))
  // The form is posted to this URL. A browser that opens the URL as a link is redirected to the card page.
  app.get(`${ROOT}/:id/pay`, (context) =>
    context.redirect(`${ROOT}/${encodeURIComponent(context.req.param('id'))}`, 303),
  )
  addConnectPages(app, store)
  addBillingPages(app, store)
  addElementsEndpoints(app, store)
  app.notFound(({ req }) => (wantsJson(req.raw) ? answerAsJson({ kind: 'unknown' }) : unknownPage()))
  app.onError((error, { req }) => {
    log.error({ err: error.message }, 'sandbox checkout failed')
    const text = "You weren't charged. The sandbox isn't available right now. Try again in a moment."
    if (wantsJson(req.raw)) return jsonError({ status: 503, code: 'unavailable', message: text })
    return pageResponse(noticePage({ title: 'Try again in a moment', text }), 503)
  })
  return async (request) => app.fetch(request)
}
