// The variables of the environment (docs/operations.md, Environment) and the rules for their values. Plain JavaScript,
// because the start script reads it before anything is installed or compiled; the application reads the environment through
// lib/infra/env.ts.

import { isIP } from 'node:net'
import { isUrl } from './is-url.mjs'
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
 * The address that HOST names; null when it names none. Shells set HOST to the machine's name, so anything but an IP address or
 * `localhost` is ignored.
 * @param {string | null | undefined} host
 */
export function addressOfHost(host) {
  return host && (host === 'localhost' || isIP(host)) ? host : null
}

/** @param {string} address */
const isLoopback = (address) => address === 'localhost' || address === '::1' || /^127\./.test(address)

/** The words with which guessed passwords begin, and the one in our own README. */
const GUESSED = /pass(?:word|wort)|lastcall|qwert|admin|letmein|welcome|12345/i

/**
 * Whether a password may protect real money: long, of several characters, and without a word that everybody tries.
 * @param {string} password
 */
function isStrong(password) {
  return password.length >= 12 && new Set(password).size >= 6 && !GUESSED.test(password)
}

const isEmail = (/** @type {string} */ value) => /^[^\s@,<>"]+@[^\s@,<>"]+\.[^\s@,<>"]+$/.test(value)

/** Stripe takes 25 calls of one kind a second; a few are left for those that arrive closer together than they were sent. */
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

  const { databaseUrl, directDatabaseUrl, readDatabaseUrl } = readDatabases(get, check)
  check(
    databaseUrl !== null || !hosting.isServerless,
    'DATABASE_URL is missing: a serverless host keeps no files, so the embedded database cannot run there.',
  )

  const authSecret = readAlias(check, {
    AUTH_SECRET: get('AUTH_SECRET'),
    NEXTAUTH_SECRET: get('NEXTAUTH_SECRET'),
  })
  check(
    databaseUrl === null || authSecret !== null,
    'AUTH_SECRET is missing: it is required when DATABASE_URL is set. Give 32 or more random characters.',
  )
  check(authSecret === null || authSecret.length >= 32, 'AUTH_SECRET is too short: give 32 or more random characters.')

  const cronSecret = get('CRON_SECRET')
  check(cronSecret === null || cronSecret.length >= 16, 'CRON_SECRET is too short: give 16 or more random characters.')

  const stripe = readStripe(get, check)
  const isLive = stripe?.mode === 'live'
  const stripeApiUrl = readStripeApiUrl(get('STRIPE_API_URL'), stripe?.secretKey ?? null, check)
  const isLocal = isOrigin && isLocalOrigin(appUrl)
  const host = addressOfHost(get('HOST'))
  const isExposed = !isLocal || (host !== null && !isLoopback(host)) || isLive
  const { adminEmail, adminPassword } = readAdmin(get, check, isLive)
  const isSandboxAllowed = isLocal || isOn(get('ALLOW_SANDBOX_PAYMENTS'))
  const paceText = get('STRIPE_SESSIONS_PER_SECOND')
  const stripeSessionsPerSecond = paceText === null ? (stripe !== null ? SESSIONS_PER_SECOND : 0) : Number(paceText)
  check(
    Number.isInteger(stripeSessionsPerSecond) && stripeSessionsPerSecond >= 0 && stripeSessionsPerSecond <= 10_000,
    `STRIPE_SESSIONS_PER_SECOND is "${paceText}": give a whole number from 1 to 10000, or 0 for no limit.`,
  )

  const moderationUrl = get('MODERATION_API_URL') ?? 'https://api.openai.com/v1/moderations'
  check(
    isUrl(moderationUrl, ['http:', 'https:']),
    'MODERATION_API_URL is not an address: give the moderation endpoint, or unset it for the default one.',
  )

  const uploadThing = readUploadThing(get('UPLOADTHING_TOKEN'), get('UPLOADTHING_URL'), check)

  const smtpUrl = get('SMTP_URL')
  check(
    smtpUrl === null || isUrl(smtpUrl, ['smtp:', 'smtps:']),
    'SMTP_URL is not an SMTP address: give smtp://user:password@host:port.',
  )

  const mailFrom = get('MAIL_FROM')
  if (isLive) {
    check(
      appUrl.startsWith('https:'),
      `APP_URL is "${appUrl}": with live Stripe keys it has to begin with https://, because cards are charged there.`,
    )
    check(
      mailFrom !== null,
      'MAIL_FROM is missing: with live Stripe keys buyers get receipts. Give "Name <address@your.domain>".',
    )
  }

  const hopsText = get('TRUSTED_PROXY_HOPS') ?? '0'
  const trustedProxyHops = Number(hopsText)
  check(
    Number.isInteger(trustedProxyHops) && trustedProxyHops >= 0 && trustedProxyHops <= 10,
    `TRUSTED_PROXY_HOPS is "${hopsText}": give the number of proxies in front, 0 to 10.`,
  )

  const poolText = get('DATABASE_POOL_SIZE') ?? (hosting.isServerless ? '4' : '20')
  const poolSize = Number(poolText)
  check(
    Number.isInteger(poolSize) && poolSize >= 2 && poolSize <= 200,
    `DATABASE_POOL_SIZE is "${poolText}": give the number of connections of one process, 2 to 200.`,
  )

  const seed = get('SEED_DEMO')
  check(seed === null || ['0', '1'].includes(seed), `SEED_DEMO is "${seed}": give 0 or 1.`)
  check(seed !== '1' || !isLive, 'SEED_DEMO is 1 with live Stripe keys: the demo would sell for real money. Give 0.')

  const logLevel = get('LOG_LEVEL') ?? 'info'
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
  check(levels.includes(logLevel), `LOG_LEVEL is "${logLevel}": give one of ${levels.join(', ')}.`)

  const tracesEndpoint = get('OTEL_EXPORTER_OTLP_ENDPOINT')
  check(
    tracesEndpoint === null || isUrl(tracesEndpoint, ['http:', 'https:']),
    'OTEL_EXPORTER_OTLP_ENDPOINT is not an address: give the collector, like http://localhost:4318, or unset it for no traces.',
  )

  return {
    problems,
    values: {
      port,
      appUrl,
      origins,
      isServerless: hosting.isServerless,
      clientAddressHeader: trustedProxyHops === 0 ? hosting.clientAddressHeader : null,
      poolSize,
      isExposed,
      dataDir: get('DATA_DIR') ?? (hosting.isServerless ? '/tmp/lastcall' : '.data'),
      databaseUrl,
      directDatabaseUrl,
      readDatabaseUrl,
      authSecret,
      cronSecret,
      adminEmail,
      adminPassword,
      // Off where others can reach it unless it is requested, because the passwords of the demo accounts are published.
      seedDemo: seed === null ? databaseUrl === null && !isExposed && stripe === null : seed === '1',
      payments: stripe !== null ? 'live' : isSandboxAllowed ? 'sandbox' : 'off',
      stripeMode: stripe?.mode ?? null,
      stripeSecretKey: stripe?.secretKey ?? null,
      stripeWebhookSecret: stripe?.webhookSecret ?? null,
      stripeConnectWebhookSecret: stripe?.connectWebhookSecret ?? null,
      stripePublishableKey: stripe?.publishableKey ?? null,
      stripeApiUrl,
      stripeSessionsPerSecond,
      moderationKey: get('MODERATION_API_KEY'),
      moderationUrl,
      uploadThing,
      smtpUrl,
      mailFrom: mailFrom ?? 'Lastcall <no-reply@lastcall.example>',
      trustedProxyHops,
      logLevel,
      tracesEndpoint,
      brand: readBrand(get, check),
    },
  }
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

const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * @param {Get} get
 * @param {Check} check
 */
function readDatabases(get, check) {
  const databaseUrl = get('DATABASE_URL')
  const directDatabaseUrl = get('DIRECT_DATABASE_URL')
  const readDatabaseUrl = get('READ_DATABASE_URL')
  for (const [name, value] of Object.entries({
    DATABASE_URL: databaseUrl,
    DIRECT_DATABASE_URL: directDatabaseUrl,
    READ_DATABASE_URL: readDatabaseUrl,
  })) {
    if (value === null) continue
    const isUrlOfPostgres = isUrl(value, ['postgres:', 'postgresql:'])
    const instead = name === 'DATABASE_URL' ? 'the embedded database' : 'DATABASE_URL'
    check(
      isUrlOfPostgres,
      `${name} is not a Postgres address: give postgresql://user:password@host:port/name, or unset it for ${instead}.`,
    )
    check(databaseUrl !== null, `${name} is set without DATABASE_URL: set DATABASE_URL too, or unset it.`)
    if (!isUrlOfPostgres) continue
    const { searchParams } = new URL(value)
    const mode = searchParams.get('sslmode') ?? 'prefer'
    check(SSL_MODES.includes(mode), `${name} has sslmode=${mode}: give one of ${SSL_MODES.join(', ')}.`)
    check(
      mode !== 'verify-ca' || searchParams.has('sslrootcert'),
      `${name} has sslmode=verify-ca without sslrootcert: add &sslrootcert=<file with the authority's certificate>, or use verify-full.`,
    )
    check(
      name !== 'DATABASE_URL' || searchParams.get('pgbouncer') !== 'true' || directDatabaseUrl !== null,
      'DIRECT_DATABASE_URL is missing: DATABASE_URL names a connection pooler (pgbouncer=true), and migrations need the address of the database itself.',
    )
  }
  return { databaseUrl, directDatabaseUrl, readDatabaseUrl }
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
