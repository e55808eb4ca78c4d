import { refundFormSchema, trackingFileSchema } from './schema'

test.each([
  ['4', 400],
  ['1,234.50', 123_450],
  ['$0.01', 1],
])('a refund of %s is %d cents', (amount, cents) =>
  expect(refundFormSchema.parse({ amount, restockUnits: 0 }).amount).toBe(cents),
)

test.each(['', '0', '-1', 'abc', '0.001'])('%j is no amount to refund', (amount) => {
  const [issue] = refundFormSchema.safeParse({ amount, restockUnits: 0 }).error?.issues ?? []
  expect(issue?.path).toEqual(['amount'])
})

test.each(['', ' ', '\n\n'])('a file of %j has nothing to read', (csv) =>
  expect(trackingFileSchema.safeParse({ csv }).error?.issues[0]?.message).toBe('Choose a file or paste its lines.'),
)
