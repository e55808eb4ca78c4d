// The load generator runs in its own process. It receives one job at a time over IPC and replies with what it measured.
// Except in the job `launch`, each connection sends its next request when the last one was answered (a closed loop). A
// slow server therefore gets fewer requests, and its p99 is valid for this number of connections, not for a fixed rate.
import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../lib/kernel/caught-error.mjs'
import { answerWork } from './answer-work.mjs'
import { percentile } from './percentile.mjs'

/**
 * @typedef {typeof jobs} Jobs
 * @typedef {{ id: number, uniqueId: string, productType: string }} BenchDrop
 * @typedef {{ status: number, body: string, cookie: string }} Answer
 */

const REQUEST_MS = 20_000

const jobs = {
  get: runGets,
  buy: runBuyers,
  hold: runHolds,
  race: runRace,
  crowd: runCrowd,
  pay: runPays,
  deliver: runDeliveries,
  storm: runStorm,
  launch: runLaunch,
}

process.on('message', async (/** @type {{ kind: keyof Jobs }} */ { kind, ...job }) => {
  try {
    process.send?.(await Reflect.apply(jobs[kind], null, [job]))
  } catch (error) {
    process.send?.({ error: messageOf(error) })
  }
})
process.on('disconnect', () => process.exit())

/**
 * Sends the same GET over and over on every connection.
 * @param {{ url: string, headers: http.OutgoingHttpHeaders, connections: number, seconds: number, expect: number }} job
 */
async function runGets({ url, headers, connections, seconds, expect }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const target = { ...addressOf(url), method: 'GET', headers, agent }
  return repeat({ agent, connections, seconds }, async () => (await send(target)).status === expect)
}

/**
 * Makes one purchase after the other on every connection. Each buyer is new: without a cookie, and with a different IP
 * address.
 * @param {{ url: string, drop: BenchDrop, connections: number, seconds: number, seed: number }} job
 */
async function runBuyers({ url, drop, connections, seconds, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let next = seed
  /** @type {[session: string, atMs: number][]} */
  const paid = []
  const onPaid = (/** @type {string} */ session) => paid.push([session, Date.now()])
  const measured = await repeat(
    { agent, connections, seconds },
    async () => (await buy({ url, agent, drop, buyer: next++ }, onPaid)) === 'paid',
  )
  return { ...measured, paid }
}

/**
 * Opens checkouts one after the other on every connection, without paying.
 * @param {{ url: string, drop: BenchDrop, connections: number, seconds: number, seed: number }} job
 */
async function runHolds({ url, drop, connections, seconds, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let next = seed
  return repeat(
    { agent, connections, seconds },
    async () => (await openCheckout({ url, agent, drop, buyer: next++ })).status === 200,
  )
}

/**
 * Lets all buyers buy at the same moment, once each.
 * @param {{ url: string, drop: BenchDrop, buyers: number, seed: number }} job
 */
async function runRace({ url, drop, buyers, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: buyers })
  const startedAt = Date.now()
  const outcomes = await Promise.all(
    Array.from({ length: buyers }, (_, index) =>
      buy({ url, agent, drop, buyer: seed + index }).catch(() => /** @type {const} */ ('failed')),
    ),
  )
  agent.destroy()
  const count = (/** @type {'paid' | 'refused' | 'failed'} */ outcome) =>
    outcomes.filter((one) => one === outcome).length
  // These are times of the system clock, because the caller compares them with times in the database.
  return { startedAt, endedAt: Date.now(), paid: count('paid'), refused: count('refused'), failed: count('failed') }
}

/**
 * Lets a crowd of strangers try to open a checkout, once each, on all servers. `sockets` limits how many try at the
 * same time.
 * @param {{ urls: string[], drop: BenchDrop, attempts: number, sockets: number, seed: number }} job
 * @returns the card pages of the opened checkouts, the number of refusals of each kind, and the response times in ms
 */
async function runCrowd({ urls, drop, attempts, sockets, seed }) {
  const agents = urls.map(() => new http.Agent({ keepAlive: true, maxSockets: Math.ceil(sockets / urls.length) }))
  /** @type {string[]} */
  const opened = []
  /** @type {Record<string, number>} */
  const refusals = {}
  /** @type {number[]} */
  const times = []
  let next = 0
  const startedAt = performance.now()
  const socket = async (/** @type {unknown} */ _, /** @type {number} */ at) => {
    const [url = '', agent] = [urls[at % urls.length], agents[at % urls.length]]
    for (let buyer = next++; buyer < attempts; buyer = next++) {
      const from = performance.now()
      const { status, body } = await openCheckout({
        url,
        agent,
        drop,
        buyer: seed + buyer,
      })
      times.push(performance.now() - from)
      if (status === 200) opened.push(JSON.parse(body).url)
      else {
        const what = `${status} ${/"code":"(\w+)"/.exec(body)?.[1] ?? ''}`
        refusals[what] = (refusals[what] ?? 0) + 1
      }
    }
  }
  await Promise.all(Array.from({ length: sockets }, socket))
  for (const agent of agents) agent.destroy()
  return {
    opened,
    refusals,
    elapsedMs: performance.now() - startedAt,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  }
}

/**
 * Makes one purchase after the other on every connection until the server stops responding.
 * @param {{ url: string, drop: BenchDrop, connections: number, seed: number }} job
 * @returns the sessions that the server reported as paid
 */
async function runStorm({ url, drop, connections, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  /** @type {string[]} */
  const paid = []
  let next = seed
  const connection = async () => {
    for (;;) {
      const checkout = await buy({ url, agent, drop, buyer: next++ }, (session) => paid.push(session)).catch(() => null)
      if (checkout === null) return
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  agent.destroy()
  return { paid }
}

/**
 * Pays at each of these pages, a few at a time.
 * @param {{ pages: string[], cardNumber?: string, atOnce?: number }} job
 * @returns the number of responses with each status. Status 0 means that there was no response
 */
async function runPays({ pages, cardNumber = '4242 4242 4242 4242', atOnce = 16 }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce })
  /** @type {Record<number, number>} */
  const statuses = {}
  await inParallel(pages, atOnce, async (page) => {
    const card = { cardNumber, email: 'crowd@example.com', name: 'Bea Buyer' }
    const { status } = await send(
      { ...addressOf(`${page}/pay`), agent, method: 'POST', headers: { 'content-type': 'application/json' } },
      card,
    ).catch(() => ({ status: 0 }))
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  agent.destroy()
  return { statuses }
}

/**
 * Delivers signed events as Stripe would. The batches may contain an event several times. The events of one batch are
 * sent at the same moment.
 * @param {{ urls: string[], batches: { payload: string, signature: string }[][], atOnce: number }} job
 * @returns the number of responses with each status, and how long the acknowledgments took
 */
async function runDeliveries({ urls, batches, atOnce }) {
  const agent = new http.Agent({ keepAlive: true })
  /** @type {Record<number, number>} */
  const statuses = {}
  /** @type {number[]} */
  const times = []
  await inParallel(batches, atOnce, (batch) =>
    Promise.all(
      batch.map(async ({ payload, signature }, at) => {
        const from = performance.now()
        const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
        const target = { ...addressOf(`${urls[at % urls.length]}/api/webhooks/stripe`), agent, method: 'POST', headers }
        const { status } = await send(target, payload).catch(() => ({ status: 0 }))
        times.push(performance.now() - from)
        statuses[status] = (statuses[status] ?? 0) + 1
      }),
    ),
  )
  agent.destroy()
  return { statuses, p50: percentile(times, 0.5), p99: percentile(times, 0.99), most: percentile(times, 1) }
}

/**
 * How many times every twentieth phone loads the page and makes the call that the page polls, and which fraction of the
 * phones follows the live stream.
 */
const REFRESHES = 10
const LIVE_FRACTION = 0.1
/** The buyers begin to press after this fraction of the launch, and all of them press within BUYING_MS. */
const BUYING_AT = 0.5
const BUYING_MS = 5_000

/**
 * @typedef {{ times: number[], errors: Record<string, number> }} Seen
 * @typedef {{
 *   urls: string[], drop: BenchDrop, seconds: number, seed: number, agent: http.Agent, kinds: Record<string, Seen>,
 *   paid: [session: string, atMs: number][], streams: http.ClientRequest[], furthest: number,
 * }} Launch the state that all phones of a launch use. `kinds` and `paid` hold what was
 *   measured, and `furthest` is the largest number of buyers that one buyer had to wait for
 */

/**
 * Measures one request. When a server does not respond, the request goes to the next server, as behind a load balancer.
 * @param {Launch} launch
 * @param {string} kind
 * @param {number} phone
 * @param {(url: string) => Promise<Answer>} request
 * @param {(answer: Answer) => boolean} isGood
 */
async function measure({ urls, kinds }, kind, phone, request, isGood) {
  const seen = (kinds[kind] ??= { times: [], errors: {} })
  const from = performance.now()
  for (let attempt = 0; ; attempt += 1) {
    const url = urls[(phone + attempt) % urls.length] ?? ''
    const answer = await request(url).catch((error) => ({ status: 0, body: messageOf(error), cookie: '' }))
    if (answer.status === 0 && attempt + 1 < urls.length) continue
    if (isGood(answer)) seen.times.push(performance.now() - from)
    else {
      const code = /"code":"(\w+)"/.exec(answer.body)?.[1] ?? ''
      const what = answer.status === 0 ? answer.body : `${answer.status} ${code}`
      seen.errors[what] = (seen.errors[what] ?? 0) + 1
    }
    return answer
  }
}

/**
 * Simulates one phone, which opens the page of the drop and then makes the call that the page polls (the polled call).
 * Every twentieth phone repeats both many times. Every tenth phone follows the live stream of the drop.
 * @param {Launch} launch
 * @param {number} phone
 */
async function look(launch, phone) {
  const { urls, drop, seconds, agent, streams } = launch
  const isOk = (/** @type {Answer} */ { status }) => status === 200
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const get = (/** @type {string} */ path) => (/** @type {string} */ url) =>
    send({ ...addressOf(url), path, agent, method: 'GET', headers })
  await sleep(Math.random() * seconds * 1000)
  const isRepeating = phone % 20 === 0
  for (let time = 0; time < (isRepeating ? REFRESHES : 1); time += 1) {
    await measure(launch, 'page', phone, get(`/drop/${drop.uniqueId}`), isOk)
    await measure(launch, 'polled call', phone, get(`/api/drop/${drop.uniqueId}`), isOk)
  }
  if (phone % (1 / LIVE_FRACTION) !== 0) return
  const target = { ...addressOf(urls[phone % urls.length] ?? ''), path: `/api/drop/${drop.id}/events`, agent: false }
  const stream = http.get(target, (answer) => answer.resume().on('error', () => {}))
  streams.push(stream.on('error', () => {}))
}

/**
 * Simulates one buyer, who presses, waits in line for as long as necessary, and pays.
 * @param {Launch} launch
 * @param {number} index
 */
async function purchase(launch, index) {
  const { drop, seconds, seed, agent, kinds } = launch
  await sleep(BUYING_AT * seconds * 1000 + Math.random() * BUYING_MS)
  const buyer = seed + index
  const from = performance.now()
  let cookie = ''
  for (;;) {
    const path = '/api/checkout/create-session'
    const ask = (/** @type {string} */ url) =>
      send(
        {
          ...addressOf(url),
          path,
          agent,
          method: 'POST',
          headers: { ...headersOf(buyer), ...(cookie ? { cookie } : {}) },
        },
        { dropId: drop.id, productType: drop.productType },
        (setCookie) => (cookie ||= setCookie.map((one) => one.split(';', 1)[0]).join('; ')),
      )
    const isOpened = (/** @type {Answer} */ { status }) => status === 200 || status === 202
    const answer = await measure(launch, 'checkout call', buyer, ask, isOpened)
    if (!isOpened(answer)) return
    const { url, wait } = JSON.parse(answer.body)
    if (url) {
      ;(kinds['press to card page'] ??= { times: [], errors: {} }).times.push(performance.now() - from)
      return payByCard(launch, buyer, url)
    }
    launch.furthest = Math.max(launch.furthest, wait.ahead)
    await sleep(Math.min(5, wait.seconds) * 1000)
  }
}

/**
 * @param {Launch} launch
 * @param {number} buyer
 * @param {string} url the URL of the card page
 */
async function payByCard({ agent, paid }, buyer, url) {
  const checkout = new URL(url)
  const card = { cardNumber: '4242 4242 4242 4242', email: `buyer${buyer}@example.com`, name: 'Bea Buyer' }
  const target = {
    ...addressOf(checkout.origin),
    path: `${checkout.pathname}/pay`,
    agent,
    method: 'POST',
    headers: headersOf(buyer),
  }
  const outcome = await send(target, card).catch(() => ({ status: 0 }))
  if (outcome.status === 303) paid.push([checkout.pathname.split('/').at(-1) ?? '', Date.now()])
}

/**
 * Simulates a launch. All phones open the drop's page and make the call that it polls. Some repeat this many times, and
 * some follow the drop's live stream. In the middle of the launch, the buyers press within five seconds, wait for their
 * card pages and pay.
 * @param {{ urls: string[], drop: BenchDrop, phones: number, buyers: number, seconds: number, seed: number }} job
 * @returns how long each kind of request took, how many of each failed, and when each session was paid
 */
async function runLaunch({ phones, buyers, ...job }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2_000 })
  /** @type {Launch} */
  const launch = { ...job, agent, kinds: {}, paid: [], streams: [], furthest: 0 }
  await Promise.all([
    ...Array.from({ length: phones }, (_, phone) => look(launch, phone)),
    ...Array.from({ length: buyers }, (_, index) => purchase(launch, index)),
  ])
  for (const stream of launch.streams) stream.destroy()
  agent.destroy()
  const rows = Object.entries(launch.kinds).map(([kind, { times, errors }]) => ({
    kind,
    count: times.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    most: percentile(times, 1),
    errors,
  }))
  return { rows, paid: launch.paid, streams: launch.streams.length, furthest: launch.furthest }
}

/**
 * @template Item
 * @param {Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<unknown>} work
 */
async function inParallel(items, atOnce, work) {
  // All workers use one iterator, so each takes the next item that is left.
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/**
 * @param {{ agent: http.Agent, connections: number, seconds: number }} options
 * @param {() => Promise<boolean>} attempt
 */
async function repeat({ agent, connections, seconds }, attempt) {
  /** @type {number[]} */
  const times = []
  let errors = 0
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  const deadline = startedAt + seconds * 1000
  const connection = async () => {
    for (let from = performance.now(); from < deadline; from = performance.now()) {
      const isGood = await attempt().catch(() => false)
      if (isGood) times.push(performance.now() - from)
      else errors += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  // This is the time until the last response, because requests that were sent just before the deadline count, too.
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  agent.destroy()
  return {
    count: times.length,
    errors,
    elapsedMs,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    // Near 1 the generator itself is the bottleneck, and the server could handle more than the measured rate.
    generatorBusy: (user + system) / 1000 / elapsedMs,
  }
}

/**
 * @param {Buyer} buyer
 * @param {(session: string) => void} [onPaid]
 * @returns {Promise<'paid' | 'refused' | 'failed'>} `refused`: the checkout returned 4xx, but not 429
 */
async function buy({ url, agent, drop, buyer }, onPaid) {
  const opened = await openCheckout({ url, agent, drop, buyer })
  if (opened.status !== 200)
    return opened.status >= 400 && opened.status < 500 && opened.status !== 429 ? 'refused' : 'failed'
  const checkout = new URL(JSON.parse(opened.body).url, url)
  const card = { cardNumber: '4242 4242 4242 4242', email: `buyer${buyer}@example.com`, name: 'Bea Buyer' }
  // The application serves the card page, unless the stand-in for Stripe runs in its own process and serves the page.
  const isElsewhere = checkout.port !== new URL(url).port
  const target = {
    ...addressOf(isElsewhere ? checkout.origin : url),
    path: `${checkout.pathname}/pay`,
    agent,
    method: 'POST',
    headers: headersOf(buyer),
  }
  const paid = await send(target, card)
  if (paid.status !== 303) return 'failed'
  onPaid?.(checkout.pathname.split('/').at(-1) ?? '')
  return 'paid'
}

/**
 * @typedef {{ url: string, agent: http.Agent | undefined, drop: BenchDrop, buyer: number }} Buyer `buyer` is a
 *   different number for each buyer
 */

/**
 * Gives every buyer a different IP address, because the limits count per network.
 * @param {number} buyer
 * @returns {Record<string, string>}
 */
const headersOf = (buyer) => ({
  'content-type': 'application/json',
  'x-forwarded-for': `10.${(buyer >> 16) & 255}.${(buyer >> 8) & 255}.${buyer & 255}`,
})

/** @param {Buyer} buyer */
async function openCheckout({ url, agent, drop, buyer }) {
  const target = { ...addressOf(url), path: '/api/checkout/create-session', agent, method: 'POST' }
  const body = { dropId: drop.id, productType: drop.productType }
  let headers = headersOf(buyer)
  let answer = await send({ ...target, headers }, body)
  // While many people buy, the server first requires a proof of work. The retry must send the cookie of that response.
  for (let attempt = 1; answer.status === 429 && attempt < 4; attempt += 1) {
    const { work } = JSON.parse(answer.body)
    if (!work) break
    headers = { ...headers, cookie: answer.cookie || headers.cookie || '' }
    answer = await send({ ...target, headers }, { ...body, work: answerWork(work) })
  }
  return answer
}

/**
 * Returns the cookies that a response sets, in the form in which a later request sends them.
 * @param {http.IncomingMessage} response
 */
function cookiesOf(response) {
  return (response.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')
}

/** @param {string} url */
function addressOf(url) {
  const { hostname, port, pathname } = new URL(url)
  return { hostname, port, path: pathname }
}

/**
 * Sends one request and reads the response to its end. The body of the response is kept only when the request has a
 * body.
 * @param {http.RequestOptions} options
 * @param {object | string} [json]
 * @param {(cookies: string[]) => void} [onCookies] receives the cookies that the response sets
 * @returns {Promise<Answer>}
 */
function send(options, json, onCookies) {
  return new Promise((resolve, reject) => {
    const payload = typeof json === 'string' ? json : json && JSON.stringify(json)
    const request = http.request({ ...options, timeout: REQUEST_MS }, (response) => {
      let body = ''
      if (response.headers['set-cookie']) onCookies?.(response.headers['set-cookie'])
      if (payload) response.setEncoding('utf8').on('data', (text) => (body += text))
      else response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body, cookie: cookiesOf(response) }))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    if (payload) request.setHeader('content-length', Buffer.byteLength(payload))
    request.end(payload)
  })
}
