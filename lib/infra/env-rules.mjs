// The variables of the environment (docs/contract.md#environment) and the rules for their values. This file is plain
// JavaScript, because the start script uses it before anything is installed or compiled. The application reads the
// environment through lib/infra/env.ts.

import { isIP } from 'node:net'
import { isEmail } from './is-email.mjs'
import { isStrongPassword } from './is-strong-password.mjs'
import { isUrl } from './is-url.mjs'
import { readBrand } from './read-brand.mjs'
import { readDatabases } from './read-databases.mjs'
import { readMailFrom } from './read-mail-from.mjs'
import { readSellerLimit } from './read-seller-limit.mjs'
import { readStripe, readStripeApiUrl, readStripeTax } from './read-stripe.mjs'
import { readUploadThing } from './read-upload-thing.mjs'

/** @typedef {(isGood: boolean, problem: string) => void} Check notes the problem when the value is not good */
/** @typedef {(name: string) => string | null} Get the trimmed value of a variable; null when it is unset or empty */

/**
 * Whether an origin names this machine.
 * @param {string} origin
 */
export function isLocalOrigin(origin) {
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}

/**
 * Returns the address that HOST names, or null when it names none. Some shells set HOST to the machine's name, so any
 * value except an IP address or `localhost` is ignored.
 * @param {string | null | undefined} host
 */
export function addressOfHost(host) {
  return host && (host === 'localhost' || isIP(host)) ? host : null
}

/** @param {string | null} address */
const isLoopback = (address) => address !== null && /^(?:localhost$|::1$|127\.)/.test(address)

/**
 * Stripe accepts 25 calls of one kind per second. We send fewer, because calls may arrive closer together than they
 * left.
 */
const SESSIONS_PER_SECOND = 21

const isOn = (/** @type {string | null} */ value) => value === '1' || value === 'true'

/**
 * Reads the environment.
 * @param {Record<string, string | undefined>} raw
 * @param {{ host: string | null }} [otherServer] given when the server of this process is not ours, with the host that
 *   it was configured to listen on. Such a server ignores HOST, and listens on every address unless a host was named.
 * @returns {{ values: Environment, problems: string[] }} `values` may be used only when `problems` is empty. Each
 *   problem is one line that says which variable is wrong and how to correct it.
 *
 * @typedef {{
 *   port: number, appUrl: string, isExposed: boolean, dataDir: string,
 *   databaseUrl: string | null, directDatabaseUrl: string | null, readDatabaseUrl: string | null,
 *   authSecret: string | null, cronSecret: string | null,
 *   adminEmail: string | null, adminPassword: string | null, seedDemo: boolean,
 *   payments: 'live' | 'sandbox' | 'off',
 *   stripeMode: 'live' | 'test' | null, stripeSecretKey: string | null, stripeWebhookSecret: string | null,
 *   stripeConnectWebhookSecret: string | null, stripePublishableKey: string | null, stripeApiUrl: string | null, hasStripeTax: boolean,
 *   stripeSessionsPerSecond: number, sellerLimit: SellerLimit | null,
 *   moderationKey: string | null, moderationUrl: string,
 *   uploadThing: UploadThingAccount | null,
 *   smtpUrl: string | null, mailFrom: string, trustedProxyHops: number, logLevel: string,
 *   tracesEndpoint: string | null, brand: BrandSettings,
 *   origins: string[], isServerless: boolean, clientAddressHeader: string | null, poolSize: number,
 * }} Environment `origins`: every origin whose pages may send writes. `clientAddressHeader`: the header in which the
 *   hosting platform sends the client's address, and which no client can set. `isExposed`: others can reach this
 *   installation, or it takes real money.
 *
 * @typedef {import('../kernel/brand').BrandSettings} BrandSettings
 * @typedef {NonNullable<ReturnType<typeof readSellerLimit>>} SellerLimit
 * @typedef {import('./read-upload-thing.mjs').UploadThingAccount} UploadThingAccount
 */
export function readEnvironment(raw, otherServer) {
  /** @type {string[]} */
  const problems = []
  const get = (/** @type {string} */ name) => {
    const value = raw[name]?.trim()
    return value ? value : null
  }
  /** @type {Check} */
  const check = (isGood, problem) => {
    if (!isGood) problems.push(problem)
  }

  const { isLocal, hosting, ...addresses } = readAddresses(get, check)
  const urls = {
    DATABASE_URL: get('DATABASE_URL'),
    DIRECT_DATABASE_URL: get('DIRECT_DATABASE_URL'),
    READ_DATABASE_URL: get('READ_DATABASE_URL'),
  }
  const databases = readDatabases(urls, hosting.isServerless, check)
  const stripe = readStripeAccount(get, check)
  const hasStripe = stripe.stripeMode !== null
  const isLive = stripe.stripeMode === 'live'
  const secrets = readSecrets(get, check, { hasDatabase: databases.databaseUrl !== null, isLive })
  const host = addressOfHost(get('HOST'))
  const isOpen =
    (host !== null && !isLoopback(host)) || (otherServer !== undefined && !isLoopback(addressOfHost(otherServer.host)))
  const isExposed = !isLocal || isOpen || isLive
  const admin = readAdmin(get, check, isLive)
  const isSandboxAllowed = isLocal || isOn(get('ALLOW_SANDBOX_PAYMENTS'))
  const stripeSessionsPerSecond = readStripeSessionsPerSecond(get, check, hasStripe)
  const moderation = readModeration(get, check)
  const uploadThing = readUploadThing(get('UPLOADTHING_TOKEN'), get('UPLOADTHING_URL'), check)
  const smtpUrl = readSmtpUrl(get, check)
  check(
    !isLive || addresses.appUrl.startsWith('https:'),
    `APP_URL is "${addresses.appUrl}": with live Stripe keys it has to begin with https://, because cards are charged there.`,
  )
  const mailFrom = readMailFrom(get, check, isLive)
  const trustedProxyHops = readTrustedProxyHops(get, check)
  const poolSize = readPoolSize(get, check, hosting.isServerless)
  const seedDemo = readSeedDemo(get, check, isLive)
  const diagnostics = readDiagnostics(get, check)
  const brand = readBrand(get, check)

  return {
    problems,
    values: {
      ...addresses,
      isServerless: hosting.isServerless,
      clientAddressHeader: trustedProxyHops === 0 ? hosting.clientAddressHeader : null,
      poolSize,
      isExposed,
      dataDir: get('DATA_DIR') ?? (hosting.isServerless ? '/tmp/lastcall' : '.data'),
      ...databases,
      ...secrets,
      ...admin,
      // The demo must be requested where others can reach this installation, because its passwords are published, and
      // where the operator has set a database or Stripe's keys.
      seedDemo: seedDemo ?? (databases.databaseUrl === null && !isExposed && !hasStripe),
      payments: hasStripe ? 'live' : isSandboxAllowed ? 'sandbox' : 'off',
      ...stripe,
      stripeSessionsPerSecond,
      sellerLimit: readSellerLimit(get, check, isLive),
      ...moderation,
      uploadThing,
      smtpUrl,
      mailFrom,
      trustedProxyHops,
      ...diagnostics,
      brand,
    },
  }
}

/**
 * Reads the port, the origins that this process serves, and what the hosting platform provides. `appUrl` is the public
 * origin. `isLocal` says whether `appUrl` names this machine.
 * @param {Get} get
 * @param {Check} check
 */
function readAddresses(get, check) {
  const portText = get('PORT') ?? '3000'
  const port = Number(portText)
  const isPort = Number.isInteger(port) && port > 0 && port < 65536
  check(isPort, `PORT is "${portText}": give a number from 1 to 65535.`)
  const givenUrl = readAlias(check, {
    APP_URL: get('APP_URL')?.replace(/\/$/, '') ?? null,
    // next-auth allows the path of its calls here.
    NEXTAUTH_URL: get('NEXTAUTH_URL')?.replace(/(?:\/api\/auth)?\/?$/, '') ?? null,
  })
  const hosting = readHosting(get, check)
  const origins = originsOf(givenUrl, hosting.origins, isPort ? port : 3000)
  const appUrl = origins[0]
  const isOrigin = isUrl(appUrl, ['http:', 'https:']) && new URL(appUrl).origin === appUrl
  check(isOrigin, `APP_URL is "${appUrl}": give the public origin without a path, like https://lastcall.example.`)
  return { port, appUrl, origins, isLocal: isOrigin && isLocalOrigin(appUrl), hosting }
}

/**
 * Reads what the hosting platform provides. Vercel sets the variables whose names begin with VERCEL.
 * @param {Get} get
 * @param {Check} check
 */
function readHosting(get, check) {
  const isVercel = isOn(get('VERCEL'))
  const serverless = get('SERVERLESS')
  check(serverless === null || ['0', '1'].includes(serverless), `SERVERLESS is "${serverless}": give 0 or 1.`)
  // A production deployment is served at all three host names, and a preview at its own two.
  const production = get('VERCEL_PROJECT_PRODUCTION_URL')
  const own = [get('VERCEL_BRANCH_URL'), get('VERCEL_URL')]
  const names = get('VERCEL_ENV') === 'production' ? [production, ...own] : own
  return {
    isServerless: serverless === null ? isVercel : serverless === '1',
    origins: isVercel ? names.filter((name) => name !== null).map((name) => `https://${name}`) : [],
    // Vercel overwrites this header on every request, so clients cannot set it.
    clientAddressHeader: isVercel ? 'x-vercel-forwarded-for' : null,
  }
}

/**
 * Returns the origins that this process serves, with the public one first. APP_URL is the only one when it is set.
 * @param {string | null} appUrl
 * @param {string[]} hostOrigins
 * @param {number} port
 * @returns {[string, ...string[]]}
 */
function originsOf(appUrl, hostOrigins, port) {
  if (appUrl !== null) return [appUrl.replace(/\/$/, '')]
  const [first = `http://localhost:${port}`, ...others] = new Set(hostOrigins)
  return [first, ...others]
}

/**
 * Returns the value of a variable that may also be set under the name that next-auth uses for it.
 * @param {Check} check
 * @param {Record<string, string | null>} values our own name first
 */
function readAlias(check, values) {
  const [name, alias] = Object.keys(values)
  const [own = null, other = null] = Object.values(values)
  check(own === null || other === null || own === other, `${name} and ${alias} differ: keep only ${name}.`)
  return own ?? other
}

/**
 * How many different characters a secret needs. 32 random characters have more, even if they are hexadecimal digits.
 */
const MIN_DISTINCT = 8

/**
 * Reads the secret from which the keys for cookies and hashes are made, and the secret that schedulers and other
 * programs send.
 * @param {Get} get
 * @param {Check} check
 * @param {{ hasDatabase: boolean, isLive: boolean }} about whether DATABASE_URL is set, and whether real money is taken
 */
function readSecrets(get, check, { hasDatabase, isLive }) {
  const authSecret = readAlias(check, {
    AUTH_SECRET: get('AUTH_SECRET'),
    NEXTAUTH_SECRET: get('NEXTAUTH_SECRET'),
  })
  check(
    !hasDatabase || authSecret !== null,
    'AUTH_SECRET is missing: it is required when DATABASE_URL is set. Give 32 or more random characters.',
  )
  check(authSecret === null || authSecret.length >= 32, 'AUTH_SECRET is too short: give 32 or more random characters.')
  check(
    authSecret === null || !isLive || new Set(authSecret).size >= MIN_DISTINCT,
    'AUTH_SECRET is too simple for live Stripe keys: give 32 or more random characters.',
  )
  const cronSecret = get('CRON_SECRET')
  check(cronSecret === null || cronSecret.length >= 16, 'CRON_SECRET is too short: give 16 or more random characters.')
  return { authSecret, cronSecret }
}

/**
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isLive
 */
function readAdmin(get, check, isLive) {
  const adminEmail = get('ADMIN_EMAIL')
  const adminPassword = get('ADMIN_PASSWORD')
  check(
    (adminEmail === null) === (adminPassword === null),
    'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither.',
  )
  check(adminPassword === null || adminPassword.length >= 8, 'ADMIN_PASSWORD is too short: give 8 or more characters.')
  check(
    adminPassword === null || !isLive || isStrongPassword(adminPassword),
    'ADMIN_PASSWORD is too weak for live Stripe keys: give 12 or more random characters.',
  )
  check(adminEmail === null || isEmail(adminEmail), 'ADMIN_EMAIL is not an email address.')
  return { adminEmail, adminPassword }
}

/**
 * Reads the keys of the Stripe account and the URL of its API. `stripeMode` is null when no keys are set.
 * @param {Get} get
 * @param {Check} check
 */
function readStripeAccount(get, check) {
  const stripe = readStripe(get, check)
  return {
    stripeMode: stripe?.mode ?? null,
    stripeSecretKey: stripe?.secretKey ?? null,
    stripeWebhookSecret: stripe?.webhookSecret ?? null,
    stripeConnectWebhookSecret: stripe?.connectWebhookSecret ?? null,
    stripePublishableKey: stripe?.publishableKey ?? null,
    stripeApiUrl: readStripeApiUrl(get('STRIPE_API_URL'), stripe?.secretKey ?? null, check),
    hasStripeTax: readStripeTax(get, check),
  }
}

/**
 * Reads how many checkout sessions may be opened at Stripe per second; 0 means no limit.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} hasStripe whether Stripe's keys are set
 */
function readStripeSessionsPerSecond(get, check, hasStripe) {
  const text = get('STRIPE_SESSIONS_PER_SECOND')
  const perSecond = text === null ? (hasStripe ? SESSIONS_PER_SECOND : 0) : Number(text)
  check(
    Number.isInteger(perSecond) && perSecond >= 0 && perSecond <= 10_000,
    `STRIPE_SESSIONS_PER_SECOND is "${text}": give a whole number from 1 to 10000, or 0 for no limit.`,
  )
  return perSecond
}

/**
 * @param {Get} get
 * @param {Check} check
 */
function readModeration(get, check) {
  const moderationUrl = get('MODERATION_API_URL') ?? 'https://api.openai.com/v1/moderations'
  check(
    isUrl(moderationUrl, ['http:', 'https:']),
    'MODERATION_API_URL is not a URL: give the moderation endpoint, or unset it for the default one.',
  )
  return { moderationKey: get('MODERATION_API_KEY'), moderationUrl }
}

/**
 * @param {Get} get
 * @param {Check} check
 */
function readSmtpUrl(get, check) {
  const smtpUrl = get('SMTP_URL')
  check(
    smtpUrl === null || isUrl(smtpUrl, ['smtp:', 'smtps:']),
    'SMTP_URL is not an SMTP address: give smtp://user:password@host:port.',
  )
  return smtpUrl
}

/**
 * @param {Get} get
 * @param {Check} check
 */
function readTrustedProxyHops(get, check) {
  const text = get('TRUSTED_PROXY_HOPS') ?? '0'
  const hops = Number(text)
  check(
    Number.isInteger(hops) && hops >= 0 && hops <= 10,
    `TRUSTED_PROXY_HOPS is "${text}": give the number of proxies in front, 0 to 10.`,
  )
  return hops
}

/**
 * Reads how many connections each pool of a process may have. A process has a second pool only for READ_DATABASE_URL.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isServerless
 */
function readPoolSize(get, check, isServerless) {
  const text = get('DATABASE_POOL_SIZE') ?? (isServerless ? '4' : '20')
  const poolSize = Number(text)
  check(
    Number.isInteger(poolSize) && poolSize >= 2 && poolSize <= 200,
    `DATABASE_POOL_SIZE is "${text}": give the number of connections of each pool, 2 to 200.`,
  )
  return poolSize
}

/**
 * Whether the demo is requested or refused; null when SEED_DEMO is not set.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isLive
 */
function readSeedDemo(get, check, isLive) {
  const seed = get('SEED_DEMO')
  check(seed === null || ['0', '1'].includes(seed), `SEED_DEMO is "${seed}": give 0 or 1.`)
  check(seed !== '1' || !isLive, 'SEED_DEMO is 1 with live Stripe keys: the demo would sell for real money. Give 0.')
  return seed === null ? null : seed === '1'
}

/**
 * Reads the log level, and the URL of the collector for traces.
 * @param {Get} get
 * @param {Check} check
 */
function readDiagnostics(get, check) {
  const logLevel = get('LOG_LEVEL') ?? 'info'
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
  check(levels.includes(logLevel), `LOG_LEVEL is "${logLevel}": give one of ${levels.join(', ')}.`)
  const tracesEndpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  check(
    tracesEndpoint === null || isUrl(tracesEndpoint, ['http:', 'https:']),
    'OTEL_EXPORTER_OTLP_ENDPOINT is not a URL: give the collector, like http://localhost:4318, or unset it for no traces.',
  )
  return { logLevel, tracesEndpoint }
}
