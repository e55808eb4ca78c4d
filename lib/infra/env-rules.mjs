// The variables of the environment (docs/operations.md, Environment) and the rules for their values. Plain JavaScript,
// because the start script uses this file before anything is installed or compiled; the application reads the environment
// through lib/infra/env.ts.

import { isIP } from 'node:net'
import { isUrl } from './is-url.mjs'
import { readDatabases } from './read-databases.mjs'
import { readStripe, readStripeApiUrl } from './read-stripe.mjs'
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
 * The address that HOST names; null when it names none. Shells set HOST to the machine's name, so anything but an IP
 * address or `localhost` is ignored.
 * @param {string | null | undefined} host
 */
export function addressOfHost(host) {
  return host && (host === 'localhost' || isIP(host)) ? host : null
}

/** @param {string} address */
const isLoopback = (address) => address === 'localhost' || address === '::1' || /^127\./.test(address)

/** Words that guessed passwords contain. `lastcall` is in the demo's password, which our README publishes. */
const GUESSED = /pass(?:word|wort)|lastcall|qwert|admin|letmein|welcome|12345/i

/**
 * Whether a password may protect real money: long, with at least six different characters, and without a common word.
 * @param {string} password
 */
function isStrong(password) {
  return password.length >= 12 && new Set(password).size >= 6 && !GUESSED.test(password)
}

const isEmail = (/** @type {string} */ value) => /^[^\s@,<>"]+@[^\s@,<>"]+\.[^\s@,<>"]+$/.test(value)

/** Stripe takes 25 calls of one kind a second. We send fewer, because calls may arrive closer together than they left. */
const SESSIONS_PER_SECOND = 21

const isOn = (/** @type {string | null} */ value) => value === '1' || value === 'true'

/**
 * Reads the environment.
 * @param {Record<string, string | undefined>} raw
 * @returns {{ values: Environment, problems: string[] }} `values` may be used only when `problems` is empty. Each problem
 *   is one line that says which variable is wrong and how to correct it.
 *
 * @typedef {{
 *   port: number, appUrl: string, isExposed: boolean, dataDir: string,
 *   databaseUrl: string | null, directDatabaseUrl: string | null, readDatabaseUrl: string | null,
 *   authSecret: string | null, cronSecret: string | null,
 *   adminEmail: string | null, adminPassword: string | null, seedDemo: boolean,
 *   payments: 'live' | 'sandbox' | 'off',
 *   stripeMode: 'live' | 'test' | null, stripeSecretKey: string | null, stripeWebhookSecret: string | null,
 *   stripeConnectWebhookSecret: string | null, stripePublishableKey: string | null, stripeApiUrl: string | null,
 *   stripeSessionsPerSecond: number,
 *   moderationKey: string | null, moderationUrl: string,
 *   uploadThing: UploadThingAccount | null,
 *   smtpUrl: string | null, mailFrom: string, trustedProxyHops: number, logLevel: string,
 *   tracesEndpoint: string | null, brand: BrandSettings,
 *   origins: string[], isServerless: boolean, clientAddressHeader: string | null, poolSize: number,
 * }} Environment `origins`: every origin whose pages may change something; `clientAddressHeader`: the header in which the
 *   host names the client's address and which no client can set; `isExposed`: others can reach this installation, or real
 *   money moves through it
 *
 * @typedef {import('../kernel/brand').BrandSettings} BrandSettings
 * @typedef {import('./read-upload-thing.mjs').UploadThingAccount} UploadThingAccount
 */
export function readEnvironment(raw) {
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
  const secrets = readSecrets(get, check, databases.databaseUrl !== null)
  const stripe = readStripeAccount(get, check)
  const hasStripe = stripe.stripeMode !== null
  const isLive = stripe.stripeMode === 'live'
  const host = addressOfHost(get('HOST'))
  const isExposed = !isLocal || (host !== null && !isLoopback(host)) || isLive
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
      // Off where others can reach it unless it is requested, because the passwords of the demo accounts are published.
      seedDemo: seedDemo ?? (databases.databaseUrl === null && !isExposed && !hasStripe),
      payments: hasStripe ? 'live' : isSandboxAllowed ? 'sandbox' : 'off',
      ...stripe,
      stripeSessionsPerSecond,
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
 * The port, the origins that this process answers under, and what the host says about itself. `appUrl` is the public origin;
 * `isLocal`: it names this machine.
 * @param {Get} get
 * @param {Check} check
 */
function readAddresses(get, check) {
  const portText = get('PORT') ?? '3000'
  const port = Number(portText)
  check(Number.isInteger(port) && port > 0 && port < 65536, `PORT is "${portText}": give a number from 1 to 65535.`)
  const givenUrl = readAlias(check, {
    APP_URL: get('APP_URL')?.replace(/\/$/, '') ?? null,
    // next-auth allows the path of its calls here.
    NEXTAUTH_URL: get('NEXTAUTH_URL')?.replace(/(?:\/api\/auth)?\/?$/, '') ?? null,
  })
  const hosting = readHosting(get, check)
  const origins = originsOf(givenUrl, hosting.origins, portText)
  const appUrl = origins[0]
  const isOrigin = isUrl(appUrl, ['http:', 'https:']) && new URL(appUrl).origin === appUrl
  check(isOrigin, `APP_URL is "${appUrl}": give the public origin without a path, like https://lastcall.example.`)
  return { port, appUrl, origins, isLocal: isOrigin && isLocalOrigin(appUrl), hosting }
}

/**
 * What the host says about itself. Vercel sets the variables that begin with its name.
 * @param {Get} get
 * @param {Check} check
 */
function readHosting(get, check) {
  const isVercel = isOn(get('VERCEL'))
  const serverless = get('SERVERLESS')
  check(serverless === null || ['0', '1'].includes(serverless), `SERVERLESS is "${serverless}": give 0 or 1.`)
  // A production deployment answers under all three addresses, a preview under its own two.
  const production = get('VERCEL_PROJECT_PRODUCTION_URL')
  const own = [get('VERCEL_BRANCH_URL'), get('VERCEL_URL')]
  const names = get('VERCEL_ENV') === 'production' ? [production, ...own] : own
  return {
    isServerless: serverless === null ? isVercel : serverless === '1',
    origins: isVercel ? names.filter((name) => name !== null).map((name) => `https://${name}`) : [],
    // Vercel writes this header anew on every request.
    clientAddressHeader: isVercel ? 'x-vercel-forwarded-for' : null,
  }
}

/**
 * The origins that this process answers under; the first is the public one. APP_URL is the only one when it is set.
 * @param {string | null} appUrl
 * @param {string[]} ofHost
 * @param {string} port
 * @returns {[string, ...string[]]}
 */
function originsOf(appUrl, ofHost, port) {
  if (appUrl !== null) return [appUrl.replace(/\/$/, '')]
  const [first = `http://localhost:${port}`, ...others] = new Set(ofHost)
  return [first, ...others]
}

/**
 * A variable that may also be set under the name that next-auth has for it.
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
 * The secrets that sign sessions and that protect the scheduled calls.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} hasDatabase whether DATABASE_URL is set
 */
function readSecrets(get, check, hasDatabase) {
  const authSecret = readAlias(check, {
    AUTH_SECRET: get('AUTH_SECRET'),
    NEXTAUTH_SECRET: get('NEXTAUTH_SECRET'),
  })
  check(
    !hasDatabase || authSecret !== null,
    'AUTH_SECRET is missing: it is required when DATABASE_URL is set. Give 32 or more random characters.',
  )
  check(authSecret === null || authSecret.length >= 32, 'AUTH_SECRET is too short: give 32 or more random characters.')
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
    adminPassword === null || !isLive || isStrong(adminPassword),
    'ADMIN_PASSWORD is too weak for live Stripe keys: give 12 or more random characters.',
  )
  check(adminEmail === null || isEmail(adminEmail), 'ADMIN_EMAIL is not an e-mail address.')
  return { adminEmail, adminPassword }
}

/**
 * What Stripe gave this installation; `stripeMode` is null when payments do not go to Stripe.
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
  }
}

/**
 * How many checkout sessions are opened at Stripe a second; 0 for no limit.
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
    'MODERATION_API_URL is not an address: give the moderation endpoint, or unset it for the default one.',
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
 * The sender of all mail; by default the platform's name with an address that receives nothing.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isLive
 */
function readMailFrom(get, check, isLive) {
  const mailFrom = get('MAIL_FROM')
  check(
    !isLive || mailFrom !== null,
    'MAIL_FROM is missing: with live Stripe keys buyers get receipts. Give "Name <address@your.domain>".',
  )
  // In quotes, because a name may have commas and other signs that separate addresses.
  const name = get('BRAND_NAME')?.replace(/["\\\p{Cc}]/gu, '')
  return mailFrom ?? `${name ? `"${name}"` : 'Lastcall'} <no-reply@lastcall.example>`
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
 * How many connections to the database a process may have.
 * @param {Get} get
 * @param {Check} check
 * @param {boolean} isServerless
 */
function readPoolSize(get, check, isServerless) {
  const text = get('DATABASE_POOL_SIZE') ?? (isServerless ? '4' : '20')
  const poolSize = Number(text)
  check(
    Number.isInteger(poolSize) && poolSize >= 2 && poolSize <= 200,
    `DATABASE_POOL_SIZE is "${text}": give the number of connections of one process, 2 to 200.`,
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
 * What the process writes to its log, and the collector that its traces go to.
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
    'OTEL_EXPORTER_OTLP_ENDPOINT is not an address: give the collector, like http://localhost:4318, or unset it for no traces.',
  )
  return { logLevel, tracesEndpoint }
}

/**
 * The name, texts and contacts of the platform that differ from lib/kernel/brand.ts.
 * @param {Get} get
 * @param {Check} check
 * @returns {BrandSettings}
 */
function readBrand(get, check) {
  /** @type {[name: string, value: string | null, maxLength: number][]} */
  const texts = [
    ['BRAND_NAME', get('BRAND_NAME'), 40],
    ['BRAND_TAGLINE', get('BRAND_TAGLINE'), 60],
    ['BRAND_DESCRIPTION', get('BRAND_DESCRIPTION'), 200],
    ['LEGAL_NAME', get('LEGAL_NAME'), 120],
    ['LEGAL_ADDRESS', get('LEGAL_ADDRESS'), 300],
  ]
  for (const [name, value, maxLength] of texts) {
    check((value?.length ?? 0) <= maxLength, `${name} is too long: give at most ${maxLength} characters.`)
  }
  const contacts = { support: get('SUPPORT_EMAIL'), privacy: get('PRIVACY_EMAIL'), legal: get('LEGAL_EMAIL') }
  for (const [key, value] of Object.entries(contacts)) {
    check(value === null || isEmail(value), `${key.toUpperCase()}_EMAIL is not an e-mail address.`)
  }
  const [name, tagline, description, legalName, legalAddress] = texts.map(([, value]) => value ?? undefined)
  const given = (/** @type {Record<string, string | null | undefined>} */ values) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))
  const contact = given(contacts)
  const texted = given({ name, tagline, description, legalName, legalAddress })
  return Object.keys(contact).length > 0 ? { ...texted, contact } : texted
}
