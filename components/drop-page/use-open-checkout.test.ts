import { ApiError } from '@/lib/client/call-api'
import { isCheckoutOver } from './use-open-checkout'

test('only a response with status 409 means that the open checkout has ended', () => {
  const answered = (status: number) => isCheckoutOver(new ApiError(status, '{}', ''))
  expect(answered(409)).toBe(true)
  expect([429, 500, 502, 503].map(answered)).toEqual([false, false, false, false])
  expect(isCheckoutOver(new TypeError('Failed to fetch'))).toBe(false)
})
