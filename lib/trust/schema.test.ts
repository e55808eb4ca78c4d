import { approveReviewSchema, rejectReviewSchema } from '@/lib/trust/schema'

test('an approval names a review, a rejection may also name a known category, and other fields are refused', () => {
  expect(approveReviewSchema.safeParse({ reviewId: 7 }).success).toBe(true)
  expect(rejectReviewSchema.safeParse({ reviewId: 7, category: 'drugs' }).success).toBe(true)
  for (const input of [{}, { reviewId: 0 }, { reviewId: '7' }, { reviewId: 7, why: 'x' }, { reviewId: 2 ** 31 }]) {
    expect(approveReviewSchema.safeParse(input).success).toBe(false)
    expect(rejectReviewSchema.safeParse(input).success).toBe(false)
  }
  expect(rejectReviewSchema.safeParse({ reviewId: 7, category: 'toString' }).success).toBe(false)
})
