import { GET as archive } from '@/app/api/cron/archive/route'
import { GET as metrics } from '@/app/api/metrics/route'
import { POST as reportArrival } from '@/app/api/uploadthing/route'
import { POST as receiveWebhook } from '@/app/api/webhooks/stripe/route'
import { closeDatabase } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { processMetrics } from '@/lib/infra/metrics'
import { documented } from '@/tests/support/api-answers'

afterAll(closeDatabase)

const call = (secret?: string, init: RequestInit = {}) =>
  new Request('http://localhost:3000/api/machine', {
    ...init,
    headers: secret ? { authorization: `Bearer ${secret}` } : {},
  })

/** Returns how many responses of a status class, for example 4xx, this process has counted. */
function responsesOf(statusClass: string): number {
  const counters = processMetrics().find(({ name }) => name === 'lastcall_api_answers_total')
  return counters?.values.find(([label]) => label === `status="${statusClass}"`)?.[1] ?? 0
}

const refusals: [name: string, ask: () => Promise<Response>, status: number, code: string][] = [
  ['a cron call without its secret', () => archive(call()), 401, 'NOT_SIGNED_IN'],
  ['a cron call with a wrong secret', () => archive(call('wrong')), 401, 'NOT_SIGNED_IN'],
  ['a metrics call without its secret', () => metrics(call()), 401, 'NOT_SIGNED_IN'],
  [
    'an unsigned event from Stripe',
    () => receiveWebhook(call(undefined, { method: 'POST', body: '{}' })),
    400,
    'INVALID_INPUT',
  ],
  [
    'a report from UploadThing while another storage is used',
    () => reportArrival(call(undefined, { method: 'POST' })),
    404,
    'NOT_FOUND',
  ],
]

test.each(refusals)(
  '%s is refused with a standard error, and the response is counted',
  async (_name, ask, status, code) => {
    const before = responsesOf('4xx')
    const answer = await documented('POST', '/api/machine', await ask())
    expect(answer.status).toBe(status)
    const body = (await answer.json()) as Record<string, unknown>
    expect(body).toMatchObject({ code, requestId: answer.headers.get('x-request-id') })
    expect(body.error).toBe(body.message)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(responsesOf('4xx')).toBe(before + 1)
  },
)

test('with the secret the job runs and the metrics are served, and each response has a request id and is counted', async () => {
  const before = responsesOf('2xx')
  const report = await documented('GET', '/api/cron/archive', await archive(call(env().cronSecret)))
  expect(await report.json()).toEqual({ archived: 0, renewed: 0, released: 0 })
  const figures = await documented('GET', '/api/metrics', await metrics(call(env().cronSecret)))
  const text = await figures.text()
  for (const line of ['platform_active 1', 'broken_rules 0', 'oldest_overdue_hold_seconds 0', 'shared_cache_bytes 0']) {
    expect(text).toContain(`lastcall_${line}\n`)
  }
  for (const answer of [report, figures]) expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  expect(responsesOf('2xx')).toBe(before + 2)
})
