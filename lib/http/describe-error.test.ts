import { describeError } from './describe-error'

test('the description of an error holds no address, no secret and no quoted value', () => {
  const secret = 'aB3'.repeat(10)
  const error = new TypeError(`bad value "4242" of mia@example.com at /o/${secret}: 'x'\nrow (7, Mia)`)
  const { name, message, frames } = describeError(error)
  expect(name).toBe('TypeError')
  expect(message).toBe('bad value […] of […] at /o/[…]: […]')
  expect(frames?.[0]).toContain('describe-error.test')
  expect(describeError(`lost ${secret}`)).toEqual({ name: 'string', message: 'lost […]' })
})
