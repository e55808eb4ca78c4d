import 'server-only'
import { timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { accounts } from './connect/accounts'
import { balanceTransactions } from './payments/balance-transactions'
import { balance } from './connect/balance'
import type { Reply, Resource, Route, SandboxLog, Settings } from './call'
import { billingPortal } from './billing/billing-portal'
import { catalog } from './billing/catalog'
import { charges } from './payments/charges'
import { checkoutSessions } from './payments/checkout-sessions'
import { newSubscriptions } from './billing/new-subscriptions'
import { customerBalance } from './billing/customer-balance'
import { customers } from './payments/customers'
import { disputes } from './payments/disputes'
import { accountInvalid, invalidRequest, StripeFault, type StripeErrorBody } from './stripe-fault'
import { events } from './events/events'
import { expandPaths } from './expand-paths'
import type { FaultBox } from './create-fault-box'
import { oncePerKey } from './once-per-key'
import { stripeId } from './ids'
import { invoices } from './billing/invoices'
import type { ApiFault } from './objects'
import { parseForm, type RawParams } from './params'
import { paymentMethodDomains } from './payments/payment-method-domains'
import { paymentIntents } from './payments/payment-intents'
import { payouts } from './connect/payouts'
import { platformAccounts } from './connect/platform-accounts'
import { refunds } from './payments/refunds'
import type { Store } from './store'
import { subscriptions } from './billing/subscriptions'
import { taxes } from './payments/taxes'
import { testClocks } from './billing/test-clocks'
import type { Traffic } from './traffic'
import { transfers } from './connect/transfers'
import { webhookEndpoints } from './events/webhook-endpoints'

const RESOURCES: readonly Resource[] = [
  checkoutSessions,
  paymentIntents,
  charges,
  balanceTransactions,
  balance,
  payouts,
  refunds,
  disputes,
  customers,
  customerBalance,
  catalog,
  subscriptions,
  newSubscriptions,
  testClocks,
  invoices,
  billingPortal,
  accounts,
  platformAccounts,
  paymentMethodDomains,
  transfers,
  events,
  webhookEndpoints,
  taxes,
]

/** Postgres' error code when another transaction held a lock for longer than we wait. */
const LOCK_TIMEOUT = '55P03'

/**
 * The body of a server error. Like every response of an endpoint, it is stored under the key (docs/stripe-rules.md,
 * A7).
 */
const FAILURE: StripeErrorBody = { type: 'api_error', message: 'An unknown error occurred.' }

/** What a call passes to its route: the fault that a test has requested for it. */
type Env = { Bindings: { fault: ApiFault | null } }

type ApiOptions = {
  store: Store
  settings: Settings
  secretKey: string
  log: SandboxLog
  faults: FaultBox
  traffic: Traffic
}

function errorResponse(status: number, error: StripeErrorBody, headers: Record<string, string>): Response {
  return Response.json({ error }, { status, headers })
}

/** Reads the key from `Authorization: Bearer …`, or from basic authentication as curl -u sends it. */
function sentKey(request: Request): string | null {
  const [, scheme, value] = /^(\w+) +(\S+)$/.exec(request.headers.get('authorization') ?? '') ?? []
  if (!scheme || !value) return null
  if (scheme.toLowerCase() === 'bearer') return value
  return Buffer.from(value, 'base64').toString().replace(/:.*$/s, '')
}

function requireKey(request: Request, secretKey: string): void {
  const sent = sentKey(request)
  if (!sent) {
    throw new StripeFault(401, { type: 'invalid_request_error', message: 'You did not provide an API key.' })
  }
  const [a, b] = [Buffer.from(sent), Buffer.from(secretKey)]
  if (a.length !== b.length || !timingSafeEqual(a, b)) {
    const shown = `${sent.slice(0, 8)}${'*'.repeat(8)}`
    throw new StripeFault(401, { type: 'invalid_request_error', message: `Invalid API Key provided: ${shown}` })
  }
}

function toFault(error: unknown, log: SandboxLog): StripeFault {
  if (error instanceof StripeFault) return error
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  if (code === LOCK_TIMEOUT) {
    return new StripeFault(429, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message: 'This object cannot be accessed right now because another request is using it. Try again.',
    })
  }
  log.error({ err: message ?? String(error), code }, 'sandbox payment API failed')
  return new StripeFault(500, { type: 'api_error', message: 'The sandbox could not do this. Try again.' })
}

const includables = Object.assign({}, ...RESOURCES.map((resource) => resource.includables ?? {})) as NonNullable<
  Resource['includables']
>

/** In live mode, Stripe redirects people to HTTPS URLs only. */
function requireHttps({ isLive }: Settings, params: RawParams): void {
  const names = ['success_url', 'cancel_url', 'return_url', 'refresh_url', 'default_return_url']
  const param = names.find((name) => /^http:/i.test(String(params[name] ?? '')))
  if (isLive && param !== undefined) {
    throw invalidRequest('Livemode requests must always be redirected via HTTPS.', { param })
  }
}

async function handle(
  context: Context<Env>,
  route: Route,
  { store, settings }: ApiOptions,
  requestId: string,
): Promise<Response> {
  const fault = context.env.fault?.kind
  const request = context.req.raw
  const { pathname, search } = new URL(request.url)
  // The SDK writes the parameters of a deletion into the address, as those of a read.
  const params = parseForm(route.method === 'POST' ? await request.text() : search.slice(1))
  requireHttps(settings, params)
  const key = route.method === 'POST' ? request.headers.get('idempotency-key') : null
  const origin = { id: requestId, idempotency_key: key }
  let answeredAt = new Date()
  const reply = await store.transaction(origin, (tx) => {
    answeredAt = tx.now()
    const run = async (): Promise<Reply> => {
      if (fault === 'error') throw new StripeFault(500, FAILURE)
      const account = request.headers.get('stripe-account')
      if (account && !(await tx.find('account', account))) throw accountInvalid(account)
      const answer = await route.run({ tx, settings, id: context.req.param('id') ?? '', account, params })
      if (fault === 'error-after-commit') return { status: 500, body: { error: FAILURE } }
      // Expanding changes the body in place, so it works on a copy of the object that the route returned.
      const body = structuredClone(answer.body)
      const paths = Array.isArray(params.expand) ? params.expand.filter((path) => typeof path === 'string') : []
      if ((answer.status ?? 200) < 400) await expandPaths(tx, body, paths, includables)
      return { ...answer, body }
    }
    return key ? oncePerKey(tx, { key, method: route.method, path: pathname, params }, run) : run()
  })
  const headers: Record<string, string> = { 'request-id': requestId, date: answeredAt.toUTCString() }
  const version = request.headers.get('stripe-version')
  if (version) headers['stripe-version'] = version
  if (key) headers['idempotency-key'] = key
  if ('replayed' in reply && reply.replayed) headers['idempotent-replayed'] = 'true'
  return Response.json(reply.body, { status: reply.status ?? 200, headers })
}

/** Delays or refuses a call as a test has requested, before it reaches its endpoint. Throws StripeFault. */
async function failFirst(fault: ApiFault | null): Promise<void> {
  if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.delayMs).unref())
  if (fault?.kind === 'rate-limit') {
    throw new StripeFault(
      429,
      { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests.' },
      { headers: { 'stripe-rate-limited-reason': 'endpoint-rate' } },
    )
  }
}

/**
 * Creates the stand-in's version of Stripe's secret-key API. Responses and errors have the form that the SDK expects.
 * With the fault `reset-after-commit`, the returned function throws a TypeError, as fetch does when a connection
 * breaks.
 */
export function createApi(options: ApiOptions): (request: Request) => Promise<Response> {
  const app = new Hono<Env>()
  app.notFound(({ req }) => {
    const message = `Unrecognized request URL (${req.method}: ${new URL(req.url).pathname}).`
    return errorResponse(404, { type: 'invalid_request_error', message }, { 'request-id': stripeId('req') })
  })
  for (const route of RESOURCES.flatMap((resource) => resource.routes)) {
    app.on(route.method, route.path, async (context) => {
      const requestId = stripeId('req')
      try {
        return await handle(context, route, options, requestId)
      } catch (error) {
        const fault = toFault(error, options.log)
        return errorResponse(fault.status, fault.body, { ...fault.headers, 'request-id': requestId })
      }
    })
  }
  return async (request) => {
    const { pathname } = new URL(request.url)
    const fault = await options.faults.takeFor(pathname)
    try {
      requireKey(request, options.secretKey)
      const { method } = request
      options.traffic.admit(method, pathname, await options.faults.hasLimits())
      await failFirst(fault)
      const response = await app.fetch(request, { fault })
      if (fault?.kind !== 'reset-after-commit') return response
    } catch (error) {
      const refusal = toFault(error, options.log)
      return errorResponse(refusal.status, refusal.body, { ...refusal.headers, 'request-id': stripeId('req') })
    }
    // This is how a broken connection looks to a fetch client.
    throw new TypeError('fetch failed: connection reset')
  }
}
