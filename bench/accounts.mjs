// npm run bench:accounts: what an answer's time tells about who has an account, and how many of 2,000 guesses at once
// reach the password. The application runs behind one proxy that says where each asker comes from.
import { randomBytes } from 'node:crypto'
import { startApp } from '../tests/support/app-server.mjs'

const PAIRS = 500
const GUESSES = 2_000

const address = () => `10.${[...randomBytes(3)].join('.')}`
const app = await startApp({ env: { LOG_LEVEL: 'error' } })

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

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

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
  if (status !== 201) throw new Error(`sign-up answered ${status}`)
  return account
}

/** Alternating, so that both see the same machine; each known account is asked about a few times, as the limits allow. */
async function comparePairs(path, bodyOf) {
  const known = []
  const unknown = []
  const seen = new Set()
  let account
  for (let pair = 0; pair < PAIRS; pair += 1) {
    if (pair % 10 === 0) account = await signUp()
    const stranger = `${randomBytes(6).toString('hex')}@example.com`
    const both = [() => post(path, bodyOf(account.email)), () => post(path, bodyOf(stranger))]
    const isKnownFirst = pair % 2 === 0
    const first = await both[isKnownFirst ? 0 : 1]()
    const second = await both[isKnownFirst ? 1 : 0]()
    known.push((isKnownFirst ? first : second).ms)
    unknown.push((isKnownFirst ? second : first).ms)
    for (const answer of [first, second]) seen.add(`${answer.status} ${answer.text}`)
  }
  const [a, b] = [median(known), median(unknown)]
  console.log(
    `${path}: median ${a.toFixed(2)} ms known, ${b.toFixed(2)} ms unknown, ${Math.abs(a - b).toFixed(2)} ms apart, ${seen.size} kind of answer`,
  )
}

async function guess(what, addressOf) {
  const { email } = await signUp()
  const answers = await Promise.all(
    Array.from({ length: GUESSES }, (_, at) => post('login', { email, password: 'wrong one' }, addressOf(at))),
  )
  const count = (status) => answers.filter((answer) => answer.status === status).length
  console.log(
    `${GUESSES} wrong logins at once ${what}: ${count(401)} reached the password, ${count(429)} were turned away`,
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
