import { createTraffic, endpointOf } from './traffic'

// docs.stripe.com/rate-limits (docs/stripe-rules.md, B1)
function burst(calls: [endpoint: string, times: number][], hasLimits = true) {
  let now = 0
  const traffic = createTraffic(() => now)
  const admitted = (endpoint: string) => {
    try {
      traffic.admit('GET', endpoint, hasLimits)
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

test('an endpoint takes 25 calls a second', () => {
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

test('all endpoints together take 100 calls a second', () => {
  const each: [string, number][] = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, 20])
  expect(burst(each).counts).toEqual([20, 20, 20, 20, 20, 0])
  expect(burst(each, false).counts).toEqual([20, 20, 20, 20, 20, 20])
})

test('ids are not part of an endpoint', () => {
  expect(endpointOf('POST', '/v1/payment_intents/pi_3Qx9/cancel')).toBe('POST /v1/payment_intents/:id/cancel')
  expect(endpointOf('GET', '/v1/checkout/sessions/cs_test_a1b2')).toBe('GET /v1/checkout/sessions/:id')
  expect(endpointOf('POST', '/v1/payment_intents')).toBe('POST /v1/payment_intents')
})
