// npm run bench:accounts measures whether response times reveal who has an account. It also counts how many of 2,000
// guesses at the same moment reach the password check. The application trusts one proxy, so the bench can choose the
// client's address in X-Forwarded-For.
import { randomBytes } from 'node:crypto'
import { startApp } from '../tests/support/start-app.mjs'
import { percentile } from './percentile.mjs'

const PAIRS = 500
const GUESSES = 2_000
/**
 * How many calls name each known account. An email address gets at most three emails of a kind per hour, so a fourth
 * call would do less work.
 */
const CALLS_EACH = 3

const address = () => `10.${[...randomBytes(3)].join('.')}`
const app = await startApp({ seed: null, env: { LOG_LEVEL: 'error' } })

/**
 * @param {string} path
 * @param {object} body
 * @param {string} [from]
 */
async function post(path, body, from = address()) {
  const start = performance.now()
  const answer = await fetch(`${app.url}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, text: text.replace(/req_\w+/, ''), ms: performance.now() - start }
}

async function signUp() {
  const name = `bench_${randomBytes(5).toString('hex')}`
  const account = {
    firstName: 'B',
    lastName: '',
    username: name,
    email: `${name}@example.com`,
    password: 'long enough',
  }
  const { status } = await post('signup', account)
  if (status !== 201) throw new Error(`sign-up returned status ${status}`)
  return account
}

/**
 * Sends calls with known and unknown email addresses in turn, so that other work on the machine slows down both. A
 * known account is used at most CALLS_EACH times. Prints both medians.
 * @param {string} path
 * @param {(email: string) => object} bodyOf
 */
async function comparePairs(path, bodyOf) {
  /** @type {number[]} */
  const known = []
  /** @type {number[]} */
  const unknown = []
  const seen = new Set()
  let account = await signUp()
  const ask = async (/** @type {string} */ email, /** @type {number[]} */ times) => {
    const { status, text, ms } = await post(path, bodyOf(email))
    times.push(ms)
    seen.add(`${status} ${text}`)
  }
  for (let pair = 0; pair < PAIRS; pair += 1) {
    if (pair > 0 && pair % CALLS_EACH === 0) account = await signUp()
    const stranger = `${randomBytes(6).toString('hex')}@example.com`
    const isKnownFirst = pair % 2 === 0
    if (isKnownFirst) await ask(account.email, known)
    await ask(stranger, unknown)
    if (!isKnownFirst) await ask(account.email, known)
  }
  const [a, b] = [percentile(known, 0.5), percentile(unknown, 0.5)]
  console.log(
    `${path}: median ${a.toFixed(2)} ms known, ${b.toFixed(2)} ms unknown, ${Math.abs(a - b).toFixed(2)} ms apart, different responses: ${seen.size}`,
  )
}

/**
 * @param {string} what
 * @param {(at: number) => string} addressOf
 */
async function guess(what, addressOf) {
  const { email } = await signUp()
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, at) => post('login', { email, password: 'wrong one' }, addressOf(at))),
  )
  const count = (/** @type {number} */ status) => answers.filter((answer) => answer.status === status).length
  console.log(
    `${GUESSES} wrong logins at the same time ${what}: ${count(401)} reached the password check, ${count(429)} were refused`,
  )
}

try {
  await comparePairs('login', (email) => ({ email, password: 'wrong one' }))
  await comparePairs('forgot-password', (email) => ({ email }))
  await comparePairs('forgot-username', (email) => ({ email }))
  const one = address()
  await guess('from one address', () => one)
  await guess('from 2,000 addresses', address)
} finally {
  await app.stop()
}
