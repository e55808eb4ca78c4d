// Measures what a crowd reads: the page of one drop, the call that this page polls (the polled call), the same call
// when nothing has changed, and common pages.
import http from 'node:http'
import { percentile } from '../percentile.mjs'
import { cpuOf, cpuOfTree } from '../processes.mjs'

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { MeasuredServer } from '../processes.mjs'
 * @import { BenchTools } from '../run.mjs'
 *
 * @typedef {{ name: string, path: string, expect: number, headers?: http.OutgoingHttpHeaders }} Scenario
 */

/** Pages that are the same for everyone, including the page for unknown URLs. */
export const SAME_FOR_EVERYONE = [
  { path: '/login', expect: 200 },
  { path: '/terms-of-service', expect: 200 },
  { path: '/nowhere', expect: 404 },
]
const CONNECTIONS = 64
const WARM_UP_S = 2
const ROUND_S = 2
const ROUNDS = 2
/** The header that browsers send. The reference returns the compressed bytes that it received at its start. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }

/**
 * Fetches one response as it was sent, still compressed, for the reference server.
 * @param {string} base
 * @param {string} path
 * @param {number} [expect]
 */
export async function capture(base, path, expect = 200) {
  /** @type {IncomingMessage} */
  const response = await new Promise((resolve, reject) => {
    http.get(base + path, { headers: HEADERS, agent: false }, resolve).on('error', reject)
  })
  const parts = []
  for await (const part of response) parts.push(part)
  if (response.statusCode !== expect) throw new Error(`${path} returned status ${response.statusCode}`)
  const headers = { ...response.headers }
  // The reference server sends its own values of these headers.
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date']) delete headers[name]
  return { path, status: expect, headers, body: Buffer.concat(parts).toString('base64') }
}

/**
 * @param {string} pagePath the drop's page
 * @param {string} pollPath the path of the polled call
 * @param {string | undefined} etag of the polled call
 * @returns {Scenario[]}
 */
export function readScenarios(pagePath, pollPath, etag) {
  const unchanged = {
    name: `GET ${pollPath}, unchanged`,
    path: pollPath,
    expect: 304,
    headers: { 'if-none-match': etag },
  }
  return [
    { name: `GET ${pagePath}`, path: pagePath, expect: 200 },
    { name: `GET ${pollPath}`, path: pollPath, expect: 200 },
    ...(etag ? [unchanged] : []),
    ...SAME_FOR_EVERYONE.map(({ path, expect }) => ({ name: `GET ${path}`, path, expect })),
  ]
}

/**
 * Measures the application and the reference in turn, so that other work on the machine slows down both.
 * @param {Scenario} scenario
 * @param {BenchTools} tools
 */
export async function measureReads(scenario, { load, app, reference, postgresPid }) {
  const { path, expect, headers } = scenario
  const run = async (/** @type {MeasuredServer} */ server, /** @type {number} */ seconds) => {
    const before = { cpu: cpuOf(server.pid), postgres: cpuOfTree(postgresPid) }
    const result = await load.ask({
      kind: 'get',
      url: server.url + path,
      headers: { ...HEADERS, ...headers },
      connections: CONNECTIONS,
      seconds,
      expect,
    })
    return {
      ...result,
      perSecond: result.count / (result.elapsedMs / 1000),
      cpuUs: (cpuOf(server.pid) - before.cpu) / result.count,
      postgresUs: (cpuOfTree(postgresPid) - before.postgres) / result.count,
    }
  }
  await run(app, WARM_UP_S)
  await run(reference, WARM_UP_S / 2)
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ app: await run(app, ROUND_S), reference: await run(reference, ROUND_S) })
  }
  return {
    app: summarize(rounds.map((round) => round.app)),
    reference: summarize(rounds.map((round) => round.reference)),
  }
}

/**
 * @typedef {'perSecond' | 'p50' | 'p99' | 'cpuUs' | 'postgresUs' | 'generatorBusy'} FigureName
 * @typedef {Record<FigureName, number> & { errors: number }} Figures
 */

/**
 * Returns the median of each figure over the rounds, and the sum of the errors.
 * @param {Figures[]} runs
 * @returns {Figures}
 */
function summarize(runs) {
  const median = (/** @type {FigureName} */ name) =>
    percentile(
      runs.map((run) => run[name]),
      0.5,
    )
  return {
    perSecond: median('perSecond'),
    p50: median('p50'),
    p99: median('p99'),
    cpuUs: median('cpuUs'),
    postgresUs: median('postgresUs'),
    generatorBusy: median('generatorBusy'),
    errors: runs.reduce((sum, run) => sum + run.errors, 0),
  }
}
