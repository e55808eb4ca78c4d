// The load generator, a process of its own. It receives one job at a time over IPC and answers with what it measured. Each
// connection sends its next request when the last one was answered (a closed loop): a slow server therefore gets fewer
// requests, and its p99 is that of this number of buyers, not of a fixed rate.
import http from 'node:http'
import { messageOf } from '../lib/kernel/caught-error.mjs'
import { percentile } from './percentile.mjs'

/**
 * @typedef {typeof jobs} Jobs
 * @typedef {{ id: number, productType: string }} BenchDrop
 * @typedef {{ status: number, body: string }} Answer
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
 * Buys one after the other on every connection. Each buyer is a stranger without a cookie and with an address of their own.
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
  // Times of the clock, because the caller compares them with times in the database.
  return { startedAt, endedAt: Date.now(), paid: count('paid'), refused: count('refused'), failed: count('failed') }
}

/**
 * Lets a crowd of strangers try to open a checkout, once each, from so many sockets, over all servers.
 * @param {{ urls: string[], drop: BenchDrop, attempts: number, sockets: number, seed: number }} job
 * @returns the pay pages of those who got one, how often each refusal was answered, and how long the answers took
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
 * Buys one after the other on every connection until the server goes away.
 * @param {{ url: string, drop: BenchDrop, connections: number, seed: number }} job
 * @returns the sessions that the server said were paid
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
 * @returns how often each status was answered; status 0 means no answer
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
 * Delivers signed events as Stripe would. An event may be in the list of batches several times; those of one batch are sent at
 * the same moment.
 * @param {{ urls: string[], batches: { payload: string, signature: string }[][], atOnce: number }} job
 * @returns how often each status was answered, and how long the acknowledgements took
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
 * @template Item
 * @param {Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<unknown>} work
 */
async function inParallel(items, atOnce, work) {
  // One iterator for all workers: each takes the next item that is left.
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
  // The time until the last answer: a request of the last moment counts with the time that its answer took.
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  agent.destroy()
  return {
    count: times.length,
    errors,
    elapsedMs,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    // Near 1 the generator itself is the limit, and the server could do more than the measured rate.
    generatorBusy: (user + system) / 1000 / elapsedMs,
  }
}

/**
 * @param {Buyer} buyer
 * @param {(session: string) => void} [onPaid]
 * @returns {Promise<'paid' | 'refused' | 'failed'>} `refused`: the answer said that no unit is left
 */
async function buy({ url, agent, drop, buyer }, onPaid) {
  const opened = await openCheckout({ url, agent, drop, buyer })
  if (opened.status !== 200)
    return opened.status >= 400 && opened.status < 500 && opened.status !== 429 ? 'refused' : 'failed'
  const checkout = new URL(JSON.parse(opened.body).url, url)
  const card = { cardNumber: '4242 4242 4242 4242', email: `buyer${buyer}@example.com`, name: 'Bea Buyer' }
  // The card page is the application's own with the stand-in inside, and elsewhere when that is a process of its own.
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

/** @typedef {{ url: string, agent: http.Agent | undefined, drop: BenchDrop, buyer: number }} Buyer `buyer` is a number of their own */

/**
 * Gives every buyer another address, because the limits are per address.
 * @param {number} buyer
 */
const headersOf = (buyer) => ({
  'content-type': 'application/json',
  'x-forwarded-for': `10.${(buyer >> 16) & 255}.${(buyer >> 8) & 255}.${buyer & 255}`,
})

/** @param {Buyer} buyer */
function openCheckout({ url, agent, drop, buyer }) {
  const target = { ...addressOf(url), path: '/api/checkout/create-session', agent, method: 'POST' }
  return send({ ...target, headers: headersOf(buyer) }, { dropId: drop.id, productType: drop.productType })
}

/** @param {string} url */
function addressOf(url) {
  const { hostname, port, pathname } = new URL(url)
  return { hostname, port, path: pathname }
}

/**
 * Sends one request and reads the answer to its end; its body is kept only when something was sent.
 * @param {http.RequestOptions} options
 * @param {object | string} [json]
 * @returns {Promise<Answer>}
 */
function send(options, json) {
  return new Promise((resolve, reject) => {
    const payload = typeof json === 'string' ? json : json && JSON.stringify(json)
    const request = http.request({ ...options, timeout: REQUEST_MS }, (response) => {
      let body = ''
      if (payload) response.setEncoding('utf8').on('data', (text) => (body += text))
      else response.resume()
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    if (payload) request.setHeader('content-length', Buffer.byteLength(payload))
    request.end(payload)
  })
}
