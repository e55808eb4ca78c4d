import { describeError } from './describe-error'

test('the description of an error contains no email address, no secret and no quoted value', () => {
  const secret = 'aB3'.repeat(10)
  const error = new TypeError(`bad value "4242" of mia@example.com at /o/${secret}: 'x'\nrow (7, Mia)`)
  const { name, message, frames } = describeError(error)
  expect(name).toBe('TypeError')
  expect(message).toBe('bad value […] of […] at /o/[…]: […]')
  expect(frames?.[0]).toContain('describe-error.test')
  expect(describeError(`lost ${secret}`)).toEqual({ name: 'string', message: 'lost […]' })
})

test('a private value that spans lines or exceeds the limit is removed completely, and only the first line is kept', () => {
  expect(describeError('lost\nrow (7, Mia)').message).toBe('lost')
  expect(describeError(new Error('bad "Mia\nSmith" of row (7, Mia)')).message).toBe('bad […]')
  const late = `${'no '.repeat(60)}"Mia ${'Smith '.repeat(10)}"`
  expect(describeError(late).message).toBe(`${'no '.repeat(60)}[…]`)
  expect(describeError(new Error('no '.repeat(100))).message).toHaveLength(200)
})
