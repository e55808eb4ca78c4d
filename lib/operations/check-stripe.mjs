import Stripe from 'stripe'
import { connectedAccountParams } from '../kernel/connected-account-params.mjs'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from '../kernel/stripe-events.mjs'
import { readPlatformAccount } from './read-platform-account.mjs'

/**
 * @import { StripeAccount } from './read-platform-account.mjs'
 * @typedef {{ name: string, level: 'ok' | 'note' | 'problem', text: string }} Finding a `problem` needs action
 * @typedef {{
 *   appUrl: string, mode: 'live' | 'test', secretKey: string | null, publishableKey: string | null, hasTax?: boolean,
 *   now?: () => number,
 * }} Expected the settings of the environment; `secretKey` and `publishableKey` are null for the stand-in
 * @typedef {{ stripe: Stripe, account: StripeAccount, expected: Expected }} World
 * @typedef {(world: World) => Promise<Omit<Finding, 'name'>[]> | Omit<Finding, 'name'>[]} Check
 */

const ok = (/** @type {string} */ text) => ({ level: /** @type {const} */ ('ok'), text })
const note = (/** @type {string} */ text) => ({ level: /** @type {const} */ ('note'), text })
const problem = (/** @type {string} */ text) => ({ level: /** @type {const} */ ('problem'), text })

/**
 * A larger difference between the clocks is reported. If our clock is more than five minutes ahead, webhooks are
 * refused.
 */
const MAX_SKEW_SECONDS = 60
const DAY_SECONDS = 86_400
/** Countries between which transfers cross borders (docs.stripe.com/connect/account-capabilities). */
const CROSS_BORDER = new Set(
  'US CA GB CH AT BE BG HR CY CZ DK EE FI FR DE GR HU IS IE IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE'.split(' '),
)

/** @type {Record<string, Check>} */
const CHECKS = {
  keys: checkKeys,
  clock: checkClock,
  'API version': checkVersion,
  account: checkAccount,
  'settlement currency': checkCurrency,
  region: checkRegion,
  Connect: checkConnect,
  payouts: checkPayouts,
  'platform endpoint': (world) => checkEndpoint(world, false),
  'Connect endpoint': (world) => checkEndpoint(world, true),
  deliveries: checkDeliveries,
  'billing portal': checkPortal,
  wallets: checkDomain,
  'Stripe Tax': checkTax,
}

/**
 * Runs all checks of the settings at Stripe that selling depends on.
 * @param {Stripe} stripe
 * @param {Expected} expected
 * @returns {Promise<Finding[]>}
 * @throws a Refusal when Stripe cannot be reached or refuses the key
 */
export async function checkStripe(stripe, expected) {
  const account = await readPlatformAccount(stripe)
  /** @type {Finding[]} */
  const findings = []
  for (const [name, check] of Object.entries(CHECKS)) {
    const found = await Promise.resolve(check({ stripe, account, expected })).catch((error) => [explain(error)])
    findings.push(...found.map((finding) => ({ name, ...finding })))
  }
  return findings
}

/** @param {{ type?: string, message?: string }} error */
function explain({ type, message }) {
  if (type === 'StripePermissionError') return problem(`the restricted key may not read this: ${message}`)
  return problem(`this could not be read from Stripe: ${message}`)
}

/** @type {Check} */
function checkKeys({ account, expected: { mode, secretKey, publishableKey } }) {
  if (secretKey === null || publishableKey === null) return [note('no keys are set: this is the stand-in')]
  // Keys made since 2019 contain the account's id after "51". Older keys do not, so they cannot be compared.
  const mark = account.id.replace(/^acct_1/, '51')
  if (!secretKey.includes(mark)) return [ok(`${mode} keys of ${account.id}`)]
  if (publishableKey.includes(mark)) return [ok(`a pair of ${mode} keys of ${account.id}`)]
  return [
    problem(
      `NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY belongs to another account than STRIPE_SECRET_KEY (${account.id}): copy both from one`,
    ),
  ]
}

/** @type {Check} */
function checkClock({ account, expected: { now = Date.now } }) {
  // The SDK's client for Node returns the headers as a plain object, and its client for fetch returns Headers.
  const { headers } = account.lastResponse
  const date =
    typeof headers.get === 'function' ? headers.get('date') : /** @type {Record<string, string>} */ (headers).date
  if (!date) return [note('Stripe did not say what time it is')]
  const seconds = Math.round((now() - Date.parse(date)) / 1000)
  if (Math.abs(seconds) <= MAX_SKEW_SECONDS) return [ok("agrees with Stripe's")]
  const [which, why] =
    seconds > 0
      ? ['ahead of', 'webhooks that look older than 300 s are refused']
      : ['behind', 'holds would end late and payouts would begin late']
  return [problem(`is ${Math.abs(seconds)} s ${which} Stripe's: set it (NTP), because ${why}`)]
}

/**
 * Checks the version of the events that the webhook endpoints send. Responses always have the version that the SDK
 * requests, but an endpoint has its own.
 * @param {World} world
 */
async function checkVersion({ stripe, expected: { appUrl } }) {
  const all = (await stripe.webhookEndpoints.list({ limit: 100 })).data
  const others = all.filter(
    ({ url, status, api_version: version }) =>
      status === 'enabled' &&
      url === `${appUrl}/api/webhooks/stripe` &&
      version !== null &&
      version !== Stripe.API_VERSION,
  )
  if (others.length === 0) return [ok(Stripe.API_VERSION)]
  return others.map(({ id, api_version: version }) =>
    problem(
      `${id} sends events of version ${version}, but this application is made for ${Stripe.API_VERSION}: delete the endpoint, and add one with this version (Dashboard, Webhooks)`,
    ),
  )
}

/** @type {Check} */
function checkAccount({ account, expected: { mode } }) {
  if (account.charges_enabled && account.details_submitted) return [ok(`${account.id} may take payments`)]
  if (mode === 'test')
    return [note(`${account.id} is not activated yet: needed before it goes live (Dashboard, Activate)`)]
  return [problem(`${account.id} may not take payments: complete its details (Dashboard, Settings, Account)`)]
}

/**
 * Checks whether Stripe settles dollars in dollars. The newest sale shows it. Before the first sale, a balance in
 * dollars does: an account in another currency has one once it has a bank account in dollars.
 * @param {World} world
 */
async function checkCurrency({ stripe, account }) {
  // The account may also take payments in other currencies for another business.
  const newest = (await stripe.charges.list({ limit: 20, expand: ['data.balance_transaction'] })).data
  const sale = newest
    .filter(({ currency, paid }) => currency === 'usd' && paid)
    .map(({ balance_transaction: moved }) => (typeof moved === 'object' ? moved : null))
    .find((moved) => moved !== null)
  const { available, pending } = await stripe.balance.retrieve()
  const hasDollars = [...available, ...pending].some(({ currency }) => currency === 'usd')
  const currency = sale?.currency ?? (hasDollars ? 'usd' : account.default_currency)
  if (currency === 'usd') return [ok(sale ? 'the newest sale was settled in usd' : 'usd')]
  return [
    problem(
      `sales in usd are settled in ${currency}, and payouts of them wait for an administrator: add a US dollar bank account (Dashboard, Settings, Bank accounts), or use a Stripe account that settles in usd${sale ? '. The next sale will show whether it worked' : ''}`,
    ),
  ]
}

/** @type {Check} */
function checkRegion({ account }) {
  const country = account.country ?? 'unknown'
  if (CROSS_BORDER.has(country))
    return [ok(`${country}: sellers in ${country}, and by cross-border transfers in US, CA, GB, EEA, CH`)]
  return [note(`${country}: only sellers in ${country} can be paid`)]
}

/** @param {World} world */
async function checkConnect({ stripe, expected: { mode } }) {
  const known = await stripe.accounts.list({ limit: 10 })
  const ready = known.data.filter(({ capabilities }) => capabilities?.transfers === 'active').length
  if (ready > 0) return [ok('there are connected accounts that can be paid')]
  if (mode === 'live') {
    return [
      note(
        'no seller is connected yet: use test keys to check that accounts can be opened, or wait for the first seller',
      ),
    ]
  }
  // Only opening an account, as the application does, shows whether the platform profile is complete.
  try {
    const { id } = await stripe.accounts.create({
      ...connectedAccountParams,
      metadata: { madeBy: 'npm run stripe:check' },
    })
    await stripe.accounts.del(id)
    return [ok('a connected account was opened and deleted again')]
  } catch (error) {
    // A missing connection or permission says nothing about the profile.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    const message = error.message
    return [problem(`complete the platform profile (Dashboard, Settings, Connect): Stripe says "${message}"`)]
  }
}

/** @type {Check} */
function checkPayouts({ account }) {
  const interval = account.settings?.payouts?.schedule.interval
  if (interval === 'manual') return [ok('are manual, so the balance covers late transfers')]
  return [
    note(
      `are ${interval ?? 'automatic'} and may empty the balance, so that transfers for sales of more than two days ago fail: set them to manual, or keep a minimum balance (docs/stripe.md#payouts-of-the-platform)`,
    ),
  ]
}

/**
 * Whether an endpoint is for connected accounts. Stripe says so only for some endpoints, with their `application`.
 * Otherwise the list of events decides: an endpoint is for connected accounts if more of its events are events about
 * accounts than events of the platform.
 * @param {Stripe.WebhookEndpoint} endpoint
 */
function isOfConnect({ application, enabled_events: events }) {
  if (application !== null) return true
  const listed = new Set(events)
  const count = (/** @type {readonly string[]} */ wanted) => wanted.filter((type) => listed.has(type)).length
  return count(CONNECT_EVENTS) > count(PLATFORM_EVENTS)
}

/**
 * @param {World} world
 * @param {boolean} isConnect
 */
async function checkEndpoint({ stripe, expected: { appUrl } }, isConnect) {
  const url = `${appUrl}/api/webhooks/stripe`
  const wanted = isConnect ? CONNECT_EVENTS : PLATFORM_EVENTS
  const events = isConnect ? '"Connected and v2 accounts"' : '"Your account"'
  const secret = isConnect ? 'STRIPE_CONNECT_WEBHOOK_SECRET' : 'STRIPE_WEBHOOK_SECRET'
  const all = (await stripe.webhookEndpoints.list({ limit: 100 })).data
  // A disabled endpoint that was left behind must not hide the one that replaced it.
  const [endpoint] = all
    .filter((each) => each.url === url && isOfConnect(each) === isConnect)
    .sort((one, other) => Number(other.status === 'enabled') - Number(one.status === 'enabled'))
  if (!endpoint) {
    if (new URL(appUrl).protocol === 'http:')
      return [note(`${url} is not public: run \`stripe listen\` (docs/stripe.md#trying-it-on-your-own-machine)`)]
    return [
      problem(
        `there is none for ${url}: add one in Dashboard, Webhooks, events from ${events}: ${wanted.join(', ')}; its signing secret is ${secret}`,
      ),
    ]
  }
  if (endpoint.status !== 'enabled') return [problem(`${endpoint.id} is disabled: enable it in Dashboard, Webhooks`)]
  const listed = new Set(endpoint.enabled_events)
  const missing = listed.has('*') ? [] : wanted.filter((type) => !listed.has(type))
  if (missing.length > 0)
    return [problem(`${endpoint.id} lacks ${missing.join(', ')}: add them in Dashboard, Webhooks`)]
  return [ok(`${endpoint.id} sends all events`)]
}

/**
 * Checks whether endpoints have failed to accept events of the last three days. It reads the newest 100 such events of
 * the platform and of each of five connected accounts. This is how a wrong signing secret is found. The secrets
 * themselves cannot be compared, because Stripe shows a secret only once.
 * @param {World} world
 */
async function checkDeliveries({ stripe, expected: { now = Date.now } }) {
  const seconds = Math.floor(now() / 1000)
  // Stripe counts events that are still being delivered as not delivered, so the last two minutes are left out.
  const created = { gte: seconds - 3 * DAY_SECONDS, lte: seconds - 2 * 60 }
  const params = { delivery_success: false, created, limit: 100 }
  const accounts = (await stripe.accounts.list({ limit: 5 })).data
  const wanted = new Set(/** @type {readonly string[]} */ ([...PLATFORM_EVENTS, ...CONNECT_EVENTS]))
  const own = (await stripe.events.list(params)).data.filter(({ type }) => wanted.has(type))
  const others = []
  for (const { id } of accounts) {
    others.push(
      ...(await stripe.events.list(params, { stripeAccount: id })).data.filter(({ type }) => wanted.has(type)),
    )
  }
  const findings = []
  if (own.length > 0) findings.push(refusedEvents(own.length, 'STRIPE_WEBHOOK_SECRET'))
  if (others.length > 0) findings.push(refusedEvents(others.length, 'STRIPE_CONNECT_WEBHOOK_SECRET'))
  return findings.length > 0 ? findings : [ok('every event of the last three days was accepted')]
}

/**
 * @param {number} count
 * @param {string} secret
 */
function refusedEvents(count, secret) {
  const number = count >= 100 ? '100 or more events' : count === 1 ? 'an event' : `${count} events`
  return problem(
    `${number} of the last three days ${count === 1 ? 'was' : 'were'} not accepted: see the responses in Dashboard, Webhooks. If they are 400, copy the endpoint's signing secret to ${secret}. Otherwise Stripe cannot reach the URL`,
  )
}

/** @param {World} world */
async function checkPortal({ stripe }) {
  const [configuration] = (await stripe.billingPortal.configurations.list({ active: true, limit: 1 })).data
  if (configuration) return [ok(`${configuration.id} is its configuration`)]
  return [
    problem(
      'has no configuration: start the application with these keys, which makes one, or save the settings in Dashboard, Settings, Billing, Customer portal',
    ),
  ]
}

/** @param {World} world */
async function checkDomain({ stripe, expected: { appUrl } }) {
  const { protocol, hostname } = new URL(appUrl)
  if (protocol !== 'https:') return [note('need https, so Apple Pay, Google Pay and Link are not offered')]
  const [domain] = (await stripe.paymentMethodDomains.list({ domain_name: hostname, limit: 1 })).data
  if (!domain?.enabled) {
    return [
      problem(
        `${hostname} is not registered: start the application with these keys, which registers it, or add it in Dashboard, Settings, Payment method domains`,
      ),
    ]
  }
  const waiting = Object.entries({ 'Apple Pay': domain.apple_pay, 'Google Pay': domain.google_pay, Link: domain.link })
    .filter(([, { status }]) => status !== 'active')
    .map(([name]) => name)
  if (waiting.length === 0) return [ok(`${hostname} is registered`)]
  return [note(`${hostname} is registered, and Stripe does not show there yet: ${waiting.join(', ')}`)]
}

/**
 * Checks whether Stripe Tax can calculate, if STRIPE_TAX is on. Without registrations it runs and finds no tax
 * anywhere.
 * @param {World} world
 */
async function checkTax({ stripe, expected: { hasTax = false } }) {
  if (!hasTax) return []
  const { status, status_details: details } = await stripe.tax.settings.retrieve()
  if (status !== 'active') {
    const missing = details.pending?.missing_fields?.join(', ') || 'some details'
    return [
      problem(
        `is ${status}, so Stripe refuses every checkout: complete ${missing} (Dashboard, Settings, Tax), or unset STRIPE_TAX`,
      ),
    ]
  }
  const { data } = await stripe.tax.registrations.list({ status: 'active', limit: 100 })
  const countries = [...new Set(data.map(({ country }) => country))].sort()
  if (countries.length > 0) return [ok(`is active, with registrations in ${countries.join(', ')}`)]
  return [note('is active, but finds no tax before a registration is added (Dashboard, Tax, Registrations)')]
}
