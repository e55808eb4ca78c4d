// The load generator, a process of its own. It is asked over IPC to do one job at a time and answers with what it saw.
// Closed loop: each connection sends its next request when the last one is answered. A slow server is therefore asked
// less often, and its p99 is that of this crowd size, not of a fixed rate.
import http from 'node:http'

const REQUEST_MS = 20_000

const jobs = {
  get: runGets,
  buy: runBuyers,
  race: runRace,
  crowd: runCrowd,
  pay: runPays,
  deliver: runDeliveries,
  storm: runStorm,
}

process.on('message', async ({ kind, ...job }) => {
  try {
    process.send(await jobs[kind](job))
  } catch (error) {
    process.send({ error: String(error?.message ?? error) })
  }
})
process.on('disconnect', () => process.exit())

/** The same GET over and over on every connection. */
async function runGets({ url, headers, connections, seconds, expect }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const target = { ...addressOf(url), method: 'GET', headers, agent }
  return repeat({ agent, connections, seconds }, async () => (await send(target)).status === expect)
}

/** Buyers one after the other on every connection, each a stranger without a cookie and with an address of its own. */
async function runBuyers({ url, drop, connections, seconds, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  let next = seed
  return repeat(
    { agent, connections, seconds },
    async () => (await buy({ url, agent, drop, buyer: next++ })) === 'paid',
  )
}

/** All buyers at the same moment, once each. */
async function runRace({ url, drop, buyers, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: buyers })
  const startedAt = Date.now()
  const outcomes = await Promise.all(
    Array.from({ length: buyers }, (_, index) => buy({ url, agent, drop, buyer: seed + index }).catch(() => 'failed')),
  )
  agent.destroy()
  const count = (outcome) => outcomes.filter((one) => one === outcome).length
  // The clock's time, because the caller compares it with what it sees in the database.
  return { startedAt, endedAt: Date.now(), paid: count('paid'), refused: count('refused'), failed: count('failed') }
}

/**
 * A crowd of strangers that tries to open a checkout, once each, from as many sockets as told, over all servers.
 * @returns the pages to pay of those who got one, how often each refusal was answered, and how long the answers took.
 */
async function runCrowd({ urls, drop, attempts, sockets, seed }) {
  const agents = urls.map(() => new http.Agent({ keepAlive: true, maxSockets: Math.ceil(sockets / urls.length) }))
  const opened = []
  const refusals = {}
  const times = []
  let next = 0
  const startedAt = performance.now()
  const socket = async (_, at) => {
    const server = at % urls.length
    for (let buyer = next++; buyer < attempts; buyer = next++) {
      const from = performance.now()
      const { status, body } = await openCheckout({
        url: urls[server],
        agent: agents[server],
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

/** Buyers one after the other on every connection, until the server goes away. @returns the sessions it said were paid */
async function runStorm({ url, drop, connections, seed }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
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

/** Pays at each of these pages, a few at a time. @returns how often each status was answered; 0 for none */
async function runPays({ pages, cardNumber = '4242 4242 4242 4242', atOnce = 16 }) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce })
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
 * Delivers signed events as Stripe would: each as often as it stands in the list of batches; those of a batch at once.
 * @returns how often each status was answered, and how long the acknowledgements took.
 */
async function runDeliveries({ urls, batches, atOnce }) {
  const agent = new http.Agent({ keepAlive: true })
  const statuses = {}
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

async function inParallel(items, atOnce, work) {
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

function percentile(times, share) {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

async function repeat({ agent, connections, seconds }, attempt) {
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
  // Until the last answer, so that what was asked within the time and answered after it counts with its time.
  const elapsedMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  agent.destroy()
  return {
    count: times.length,
    errors,
    elapsedMs,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    // Near 1 the generator itself is the limit, and the server could do more than the figure says.
    generatorBusy: (user + system) / 1000 / elapsedMs,
  }
}

/** @returns {Promise<'paid' | 'refused' | 'failed'>} refused: told in words that there is none left */
async function buy({ url, agent, drop, buyer }, onPaid) {
  const opened = await openCheckout({ url, agent, drop, buyer })
  if (opened.status !== 200)
    return opened.status >= 400 && opened.status < 500 && opened.status !== 429 ? 'refused' : 'failed'
  const checkout = new URL(JSON.parse(opened.body).url, url)
  const card = { cardNumber: '4242 4242 4242 4242', email: `buyer${buyer}@example.com`, name: 'Bea Buyer' }
  const target = {
    ...addressOf(url),
    path: `${checkout.pathname}/pay`,
    agent,
    method: 'POST',
    headers: headersOf(buyer),
  }
  const paid = await send(target, card)
  if (paid.status !== 303) return 'failed'
  onPaid?.(checkout.pathname.split('/').at(-1))
  return 'paid'
}

/** Every buyer comes from somewhere else: limits count addresses. */
const headersOf = (buyer) => ({
  'content-type': 'application/json',
  'x-forwarded-for': `10.${(buyer >> 16) & 255}.${(buyer >> 8) & 255}.${buyer & 255}`,
})

function openCheckout({ url, agent, drop, buyer }) {
  const target = { ...addressOf(url), path: '/api/checkout/create-session', agent, method: 'POST' }
  return send({ ...target, headers: headersOf(buyer) }, { dropId: drop.id, productType: drop.productType })
}

function addressOf(url) {
  const { hostname, port, pathname } = new URL(url)
  return { hostname, port, path: pathname }
}

/** One request; the body is read to its end, as text only where something was sent. */
function send(options, json) {
  return new Promise((resolve, reject) => {
    const payload = typeof json === 'string' ? json : json && JSON.stringify(json)
    const headers = payload ? { ...options.headers, 'content-length': Buffer.byteLength(payload) } : options.headers
    const request = http.request({ ...options, headers, timeout: REQUEST_MS }, (response) => {
      let body = ''
      if (payload) response.setEncoding('utf8').on('data', (text) => (body += text))
      else response.resume()
      response.on('end', () => resolve({ status: response.statusCode, body }))
      response.on('error', reject)
    })
    request.on('timeout', () => request.destroy(new Error('timeout')))
    request.on('error', reject)
    request.end(payload)
  })
}
