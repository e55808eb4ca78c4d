// The variables of the environment (docs/operations.md, Environment) and the rules for their values. Plain JavaScript,
// because the start script reads it before anything is installed or compiled; the application reads the environment through
// lib/infra/env.ts.

/** @typedef {(isGood: boolean, problem: string) => void} Check notes the problem when the value is not good */

/**
 * @param {string} value
 * @param {string[]} protocols
 */
function isUrl(value, protocols) {
  try {
    return protocols.includes(new URL(value).protocol)
  } catch {
    return false
  }
}

/**
 * Whether an origin names this machine.
 * @param {string} origin
 */
export function isLocalOrigin(origin) {
  const { hostname } = new URL(origin)
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname)
}

const isOn = (/** @type {string | null} */ value) => value === '1' || value === 'true'

/**
 * Reads the environment.
 * @param {Record<string, string | undefined>} raw
 * @returns {{ values: Environment, problems: string[] }} `values` may be used only when `problems` is empty. Each problem
 *   is one line that says which variable is wrong and how to correct it.
 *
 * @typedef {{
 *   port: number, appUrl: string, dataDir: string, databaseUrl: string | null,
 *   authSecret: string | null, cronSecret: string | null,
 *   adminEmail: string | null, adminPassword: string | null, seedDemo: boolean,
 *   payments: 'live' | 'sandbox' | 'off',
 *   stripeMode: 'live' | 'test' | null, stripeSecretKey: string | null, stripeWebhookSecret: string | null,
 *   stripeConnectWebhookSecret: string | null, stripePublishableKey: string | null, stripeApiUrl: string | null,
 *   moderationKey: string | null, moderationUrl: string,
 *   uploadThing: UploadThingAccount | null,
 *   smtpUrl: string | null, mailFrom: string, trustedProxyHops: number, logLevel: string,
 *   tracesEndpoint: string | null,
 *   origins: string[], isServerless: boolean, clientAddressHeader: string | null, poolSize: number,
 * }} Environment `origins`: every origin whose pages may change something; `clientAddressHeader`: the header in which the
 *   host names the client's address and which no client can set
 *
 * @typedef {{ token: string, apiKey: string, appId: string, ingestUrl: string, standInUrl: string | null }} UploadThingAccount
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

  const host = readHost(get, check)
  const origins = originsOf(get('APP_URL'), host.origins, portText)
  const appUrl = origins[0]
  const isOrigin = isUrl(appUrl, ['http:', 'https:']) && new URL(appUrl).origin === appUrl
  check(isOrigin, `APP_URL is "${appUrl}": give the public origin without a path, like https://lastcall.example.`)

  const databaseUrl = get('DATABASE_URL')
  check(
    databaseUrl !== null || !host.isServerless,
    'DATABASE_URL is missing: a serverless host keeps no files, so the embedded database cannot run there.',
  )
  check(
    databaseUrl === null || isUrl(databaseUrl, ['postgres:', 'postgresql:']),
    'DATABASE_URL is not a Postgres address: give postgresql://user:password@host:port/name, or unset it for the embedded database.',
  )

  const authSecret = get('AUTH_SECRET')
  check(
    databaseUrl === null || authSecret !== null,
    'AUTH_SECRET is missing: it is required when DATABASE_URL is set. Give 32 or more random characters.',
  )
  check(authSecret === null || authSecret.length >= 32, 'AUTH_SECRET is too short: give 32 or more random characters.')

  const cronSecret = get('CRON_SECRET')
  check(cronSecret === null || cronSecret.length >= 16, 'CRON_SECRET is too short: give 16 or more random characters.')

  const adminEmail = get('ADMIN_EMAIL')
  const adminPassword = get('ADMIN_PASSWORD')
  check(
    (adminEmail === null) === (adminPassword === null),
    'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or neither.',
  )
  check(adminPassword === null || adminPassword.length >= 8, 'ADMIN_PASSWORD is too short: give 8 or more characters.')
  check(
    adminEmail === null || /^[^\s@,<>"]+@[^\s@,<>"]+\.[^\s@,<>"]+$/.test(adminEmail),
    'ADMIN_EMAIL is not an e-mail address.',
  )

  const stripe = readStripe(
    {
      STRIPE_SECRET_KEY: get('STRIPE_SECRET_KEY'),
      STRIPE_WEBHOOK_SECRET: get('STRIPE_WEBHOOK_SECRET'),
      STRIPE_CONNECT_WEBHOOK_SECRET: get('STRIPE_CONNECT_WEBHOOK_SECRET'),
      NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: get('NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY'),
    },
    appUrl,
    check,
  )
  const isAnyKeySet = stripe !== null
  const stripeApiUrl = readStripeApiUrl(get('STRIPE_API_URL'), stripe?.secretKey ?? null, check)
  const isSandboxAllowed = (isOrigin && isLocalOrigin(appUrl)) || isOn(get('ALLOW_SANDBOX_PAYMENTS'))

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

  const hopsText = get('TRUSTED_PROXY_HOPS') ?? '0'
  const trustedProxyHops = Number(hopsText)
  check(
    Number.isInteger(trustedProxyHops) && trustedProxyHops >= 0 && trustedProxyHops <= 10,
    `TRUSTED_PROXY_HOPS is "${hopsText}": give the number of proxies in front, 0 to 10.`,
  )

  const poolText = get('DATABASE_POOL_SIZE') ?? (host.isServerless ? '4' : '20')
  const poolSize = Number(poolText)
  check(
    Number.isInteger(poolSize) && poolSize >= 2 && poolSize <= 200,
    `DATABASE_POOL_SIZE is "${poolText}": give the number of connections of one process, 2 to 200.`,
  )

  const seed = get('SEED_DEMO')
  check(seed === null || ['0', '1'].includes(seed), `SEED_DEMO is "${seed}": give 0 or 1.`)

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
      isServerless: host.isServerless,
      clientAddressHeader: trustedProxyHops === 0 ? host.clientAddressHeader : null,
      poolSize,
      dataDir: get('DATA_DIR') ?? (host.isServerless ? '/tmp/lastcall' : '.data'),
      databaseUrl,
      authSecret,
      cronSecret,
      adminEmail,
      adminPassword,
      // Off on a public origin unless it is requested, because the passwords of the demo accounts are published.
      seedDemo:
        seed === null ? databaseUrl === null && isOrigin && isLocalOrigin(appUrl) && !isAnyKeySet : seed === '1',
      payments: isAnyKeySet ? 'live' : isSandboxAllowed ? 'sandbox' : 'off',
      stripeMode: stripe?.mode ?? null,
      stripeSecretKey: stripe?.secretKey ?? null,
      stripeWebhookSecret: stripe?.webhookSecret ?? null,
      stripeConnectWebhookSecret: stripe?.connectWebhookSecret ?? null,
      stripePublishableKey: stripe?.publishableKey ?? null,
      stripeApiUrl,
      moderationKey: get('MODERATION_API_KEY'),
      moderationUrl,
      uploadThing,
      smtpUrl,
      mailFrom: get('MAIL_FROM') ?? 'Lastcall <no-reply@lastcall.example>',
      trustedProxyHops,
      logLevel,
      tracesEndpoint,
    },
  }
}

/** @typedef {'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_CONNECT_WEBHOOK_SECRET' | 'NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY'} StripeVariable */

/** What each of Stripe's values begins with, and where the Dashboard shows it. */
const STRIPE_FORMS = /** @type {const} */ ({
  STRIPE_SECRET_KEY: [/^[sr]k_(test|live)_/, 'a secret key of Stripe: it begins with sk_ or rk_ (Dashboard, API keys)'],
  STRIPE_WEBHOOK_SECRET: [/^whsec_/, 'a signing secret: it begins with whsec_ (Dashboard, Webhooks)'],
  STRIPE_CONNECT_WEBHOOK_SECRET: [/^whsec_/, 'a signing secret: it begins with whsec_ (Dashboard, Webhooks)'],
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: [
    /^pk_(test|live)_/,
    'a publishable key of Stripe: it begins with pk_ (Dashboard, API keys). Browsers receive it, so a secret key must never stand here',
  ],
})

/**
 * Real payments need all of Stripe's values, and both keys of the same mode.
 * @param {Record<StripeVariable, string | null>} set
 * @param {string} appUrl
 * @param {Check} check
 * @returns {{ mode: 'live' | 'test', secretKey: string | null, webhookSecret: string | null,
 *   connectWebhookSecret: string | null, publishableKey: string | null } | null} null when none of them is set
 */
function readStripe(set, appUrl, check) {
  const names = /** @type {StripeVariable[]} */ (Object.keys(STRIPE_FORMS))
  if (names.every((name) => set[name] === null)) return null
  for (const name of names) {
    const value = set[name]
    const [form, description] = STRIPE_FORMS[name]
    check(
      value !== null,
      `${name} is missing: real payments need all of ${names.join(', ')}; unset them all for the sandbox.`,
    )
    check(value === null || form.test(value), `${name} is not ${description}.`)
  }
  const modeOf = (/** @type {string | null} */ key) => /^[srp]k_(test|live)_/.exec(key ?? '')?.[1] ?? null
  const secretMode = modeOf(set.STRIPE_SECRET_KEY)
  const publicMode = modeOf(set.NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY)
  check(
    secretMode === null || publicMode === null || secretMode === publicMode,
    `STRIPE_SECRET_KEY is a ${secretMode} key and NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY a ${publicMode} key: take both from the same mode.`,
  )
  check(
    secretMode !== 'live' || appUrl.startsWith('https:'),
    `APP_URL is "${appUrl}": live keys of Stripe need https, because Stripe leads buyers and sellers back to nothing else.`,
  )
  return {
    mode: secretMode === 'live' ? 'live' : 'test',
    secretKey: set.STRIPE_SECRET_KEY,
    webhookSecret: set.STRIPE_WEBHOOK_SECRET,
    connectWebhookSecret: set.STRIPE_CONNECT_WEBHOOK_SECRET,
    publishableKey: set.NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY,
  }
}

/**
 * What the host says about itself. Vercel sets the variables that begin with its name.
 * @param {(name: string) => string | null} get
 * @param {Check} check
 */
function readHost(get, check) {
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
 * Another address for Stripe's API. Whoever answers there sees the secret key and decides what counts as paid, so it may only
 * be a program on this machine, and only with a test key.
 * @param {string | null} url
 * @param {string | null} secretKey
 * @param {Check} check
 */
function readStripeApiUrl(url, secretKey, check) {
  if (url === null) return null
  const isLoopback =
    isUrl(url, ['http:']) &&
    new URL(url).origin === url &&
    /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(new URL(url).hostname)
  check(
    isLoopback,
    'STRIPE_API_URL may only name the stand-in on this machine: give an origin like http://127.0.0.1:4242, or unset it for Stripe itself.',
  )
  check(
    secretKey !== null && secretKey.startsWith('sk_test_'),
    'STRIPE_API_URL needs a test key: set STRIPE_SECRET_KEY to one that begins with sk_test_, or unset it.',
  )
  return isLoopback ? url : null
}

/**
 * UploadThing's token is base64 of `{ apiKey, appId, regions, ingestHost? }`, as its dashboard gives it out.
 * @param {string | null} token
 * @param {string | null} standInUrl the address of a stand-in of the protocol, for tests, to use instead of UploadThing
 * @param {Check} check
 * @returns {UploadThingAccount | null}
 */
function readUploadThing(token, standInUrl, check) {
  check(
    standInUrl === null || isUrl(standInUrl, ['http:', 'https:']),
    'UPLOADTHING_URL is not an address: give that of a stand-in, or unset it for UploadThing itself.',
  )
  check(standInUrl === null || token !== null, 'UPLOADTHING_URL is set without UPLOADTHING_TOKEN: set both or neither.')
  if (token === null) return null
  const parsed = parseToken(token)
  check(
    parsed !== null,
    'UPLOADTHING_TOKEN is not a token of UploadThing: copy the whole value from its dashboard (API Keys), without quotes.',
  )
  if (!parsed) return null
  const { apiKey, appId, regions, ingestHost = 'ingest.uploadthing.com' } = parsed
  return { token, apiKey, appId, ingestUrl: standInUrl ?? `https://${regions[0]}.${ingestHost}`, standInUrl }
}

/**
 * @param {string} token
 * @returns {{ apiKey: string, appId: string, regions: [string, ...string[]], ingestHost?: string } | null}
 */
function parseToken(token) {
  try {
    const parsed = JSON.parse(Buffer.from(token, 'base64').toString('utf8'))
    const { apiKey, appId, regions, ingestHost } = parsed
    const isName = (/** @type {unknown} */ value) => typeof value === 'string' && /^[a-z0-9][a-z0-9.-]*$/i.test(value)
    const isComplete = typeof apiKey === 'string' && apiKey.startsWith('sk_') && isName(appId) && isName(regions?.[0])
    return isComplete && (ingestHost === undefined || isName(ingestHost)) ? parsed : null
  } catch {
    return null
  }
}
