import { isLocalOrigin, readEnvironment } from '../lib/infra/env-rules.mjs'
import { addSecrets } from './add-secrets.mjs'

/** @typedef {Record<string, string | undefined>} Values */

/**
 * The questions of `npm run setup`, in this order. The other variables of .env.example are set by hand or with a flag.
 * @type {[name: string, question: string, isWanted: (values: Values) => boolean][]}
 */
const QUESTIONS = [
  ['APP_URL', 'The public URL, like https://drops.example. Empty: only this machine', () => true],
  ['DATABASE_URL', 'A Postgres database, postgresql://… Empty: the built-in database in DATA_DIR', () => true],
  ['DIRECT_DATABASE_URL', 'The same database without its pooler. Empty: there is none', hasDatabase],
  ['READ_DATABASE_URL', "A replica of it for the administrators' lists. Empty: there is none", hasDatabase],
  ['TRUSTED_PROXY_HOPS', 'How many proxies are in front. Empty: none', isPublic],
  ['ADMIN_EMAIL', 'The email address of the administrator. Empty: none', () => true],
  [
    'STRIPE_SECRET_KEY',
    "Stripe's secret key. The next questions are for the publishable key and the secrets of both webhook endpoints. Empty: no real payments",
    isPublic,
  ],
  ['NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY', "Stripe's publishable key", hasStripe],
  ['STRIPE_WEBHOOK_SECRET', 'The signing secret of the webhook endpoint for your own account', hasStripe],
  ['STRIPE_CONNECT_WEBHOOK_SECRET', 'The signing secret of the webhook endpoint for connected accounts', hasStripe],
  [
    'ALLOW_SANDBOX_PAYMENTS',
    '1 for the sandbox, with a banner. Empty: payments are off',
    (values) => isPublic(values) && !hasStripe(values),
  ],
  ['SMTP_URL', 'The mail server, smtp://user:password@host:port. Empty: no email is sent', isPublic],
  [
    'MAIL_FROM',
    'The sender of all emails, like Drops <hello@drops.example>',
    (values) => Boolean(values.SMTP_URL) || isLive(values),
  ],
  ['UPLOADTHING_TOKEN', "UploadThing's token. Empty: files are stored in DATA_DIR", isPublic],
  ['BRAND_NAME', 'The name of your platform. Empty: Lastcall', isPublic],
  ['SUPPORT_EMAIL', 'Where users write for help. Empty: none yet', isPublic],
  ['PRIVACY_EMAIL', 'Where users write about their data. Empty: none yet', isPublic],
  ['LEGAL_EMAIL', 'Where legal notices go. Empty: none yet', isPublic],
  ['LEGAL_NAME', 'The person or company that runs the platform, for the policies. Empty: none yet', isPublic],
  ['LEGAL_ADDRESS', 'Its postal address, for the policies. Empty: none yet', isPublic],
]

/** @param {Values} values */
function isPublic({ APP_URL }) {
  return Boolean(APP_URL && URL.canParse(APP_URL) && !isLocalOrigin(APP_URL))
}

/** @param {Values} values */
function hasDatabase({ DATABASE_URL }) {
  return Boolean(DATABASE_URL)
}

/** @param {Values} values */
function hasStripe({ STRIPE_SECRET_KEY }) {
  return Boolean(STRIPE_SECRET_KEY)
}

/** @param {Values} values */
function isLive(values) {
  return readEnvironment(values).values.stripeMode === 'live'
}

/**
 * Asks for the missing values. It repeats a question after a refused answer, and after an empty one where a value is
 * needed.
 * @param {Values} values the answers are added here
 * @param {(question: string) => Promise<string>} ask
 * @param {(problem: string) => void} say
 */
export async function askSettings(values, ask, say) {
  for (const [name, question, isWanted] of QUESTIONS) {
    while (!values[name] && isWanted(values)) {
      const answer = (await ask(`${question}\n  ${name}: `)).trim()
      const problems = problemsOf(values, name, answer)
      if (problems.length === 0 && answer) values[name] = answer
      if (problems.length === 0) break
      for (const problem of problems) say(problem)
    }
  }
}

/**
 * Returns the problems that an answer causes. A variable that the answer requires and that is still missing does not
 * count, because it is asked later.
 * @param {Values} values
 * @param {string} name
 * @param {string} answer
 */
function problemsOf(values, name, answer) {
  const isAskedLater = (/** @type {string} */ problem) => {
    const missing = missingNames(problem)
    return missing.length > 0 && !missing.includes(name) && missing.every((one) => !values[one])
  }
  const before = new Set(judge(values))
  const problems = judge({ ...values, [name]: answer })
  const isNew = (/** @type {string} */ problem) =>
    !before.has(problem) || problem.startsWith(`${name} `) || missingNames(problem).includes(name)
  return problems.filter((problem) => isNew(problem) && !isAskedLater(problem))
}

/**
 * Returns the variables that a problem calls missing, such as A and B for "A, B are missing: …".
 * @param {string} problem
 */
function missingNames(problem) {
  const [, names] = /^([\w, ]+?) (?:is|are) missing\b/.exec(problem) ?? []
  return names?.split(', ') ?? []
}

/** @param {Values} values */
function judge(values) {
  const complete = { ...values }
  addSecrets(complete)
  return readEnvironment(complete).problems
}
