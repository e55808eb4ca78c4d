import { refundFormSchema } from './schema'

test.each([
  ['4', 400],
  ['1,234.50', 123_450],
  ['$0.01', 1],
])('the refund form reads %s as %d cents', (amount, cents) =>
  expect(refundFormSchema.parse({ amount, restockUnits: 0, isForShipping: false }).amount).toBe(cents),
)

test.each(['', '0', '-1', 'abc', '0.001'])('the refund form rejects the amount %j', (amount) => {
  const [issue] = refundFormSchema.safeParse({ amount, restockUnits: 0, isForShipping: false }).error?.issues ?? []
  expect(issue?.path).toEqual(['amount'])
})
