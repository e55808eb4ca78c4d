import { createTraffic, endpointOf } from './traffic'

// The limits are those of docs.stripe.com/rate-limits (docs/stripe-rules.md, B1).
function burst(calls: [endpoint: string, times: number][], hasLimits = true) {
  let now = 0
  const traffic = createTraffic(() => now)
  const admitted = (path: string, method = 'GET') => {
    try {
      traffic.admit(method, path, hasLimits)
      return true
    } catch {
      return false
    }
  }
  const counts = calls.map(
    ([endpoint, times]) => Array.from({ length: times }, () => admitted(endpoint)).filter(Boolean).length,
  )
  return { counts, traffic, admitted, wait: (ms: number) => void (now += ms) }
}

test('an endpoint accepts 25 calls a second', () => {
  const { counts, admitted, wait, traffic } = burst([
    ['a', 30],
    ['b', 10],
  ])
  expect(counts).toEqual([25, 10])
  wait(999)
  expect(admitted('a')).toBe(false)
  wait(1)
  expect(admitted('a')).toBe(true)
  expect(traffic.counts()).toEqual({ reads: 42, writes: 0, refused: 6 })
})

test('all endpoints together accept 100 calls a second, if limits are enforced', () => {
  const each: [string, number][] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 20])
  expect(burst(each).counts).toEqual([20, 20, 20, 20, 20, 0])
  expect(burst(each, false).counts).toEqual([20, 20, 20, 20, 20, 20])
})

test.each([
  ['/v1/accounts', 5, 1_000],
  ['/v1/payment_intents/pi_3Qx9', 1_000, 60 * 60_000],
  ['/v1/subscriptions/sub_1Qx9', 10, 60_000],
])('%s accepts %d writes in %d ms', (path, most, windowMs) => {
  const { admitted, wait } = burst([])
  let taken = 0
  // The calls stay below the general limit of an endpoint.
  for (let call = 0; call < most + 5; call += 1) {
    if (admitted(path, 'POST')) taken += 1
    wait(most > 5 ? 50 : 1)
  }
  expect(taken).toBe(most)
  expect(admitted(path, 'GET')).toBe(true)
  expect(admitted('/v1/payment_intents/pi_other1', 'POST')).toBe(true)
  wait(windowMs)
  expect(admitted(path, 'POST')).toBe(true)
})

test('a subscription accepts 20 changes a day', () => {
  const { admitted, wait } = burst([])
  let taken = 0
  for (let call = 0; call < 30; call += 1) {
    if (admitted('/v1/subscriptions/sub_1Qx9', 'POST')) taken += 1
    wait(10 * 60_000)
  }
  expect(taken).toBe(20)
})

test('the name of an endpoint has a placeholder instead of an id', () => {
  expect(endpointOf('POST', '/v1/payment_intents/pi_3Qx9/cancel')).toBe('POST /v1/payment_intents/:id/cancel')
  expect(endpointOf('GET', '/v1/checkout/sessions/cs_test_a1b2')).toBe('GET /v1/checkout/sessions/:id')
  expect(endpointOf('POST', '/v1/payment_intents')).toBe('POST /v1/payment_intents')
})
