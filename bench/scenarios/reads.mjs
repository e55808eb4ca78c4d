// What a crowd does with one drop: opens its page, polls it, and polls it unchanged.
import http from 'node:http'
import { cpuOf, cpuOfTree } from '../processes.mjs'

const CONNECTIONS = 64
const WARM_UP_S = 2
const ROUND_S = 2
const ROUNDS = 3
// As browsers ask; the reference answers the compressed bytes as they came.
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }

/**
 * One answer as it is on the wire, for the reference server.
 * @param {string} base
 * @param {string} path
 */
export async function capture(base, path) {
  const response = await new Promise((resolve, reject) => {
    http.get(base + path, { headers: HEADERS, agent: false }, resolve).on('error', reject)
  })
  const parts = []
  for await (const part of response) parts.push(part)
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
  const perConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date'])
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !perConnection.has(name)))
  return { path, headers, body: Buffer.concat(parts).toString('base64') }
}

/**
 * @param {string} pagePath the drop's page
 * @param {string} pollPath the polled call
 * @param {string | undefined} etag of the polled call
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
  ]
}

/**
 * Application and reference by turns, so that whatever else the machine does meets both.
 * @param {{ path: string, expect: number, headers?: object }} scenario
 * @param {{ load: object, app: object, reference: object, postgresPid: number | null }} bench
 */
export async function measureReads(scenario, { load, app, reference, postgresPid }) {
  const { path, expect, headers } = scenario
  const run = async (server, seconds) => {
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
    app: summarise(rounds.map((round) => round.app)),
    reference: summarise(rounds.map((round) => round.reference)),
  }
}

/** The median of each figure over the rounds; errors are added up. */
function summarise(runs) {
  const median = (name) => runs.map((run) => run[name]).sort((a, b) => a - b)[Math.floor(runs.length / 2)]
  const names = ['perSecond', 'p50', 'p99', 'cpuUs', 'postgresUs', 'generatorBusy']
  const errors = runs.reduce((sum, run) => sum + run.errors, 0)
  return { ...Object.fromEntries(names.map((name) => [name, median(name)])), errors }
}
