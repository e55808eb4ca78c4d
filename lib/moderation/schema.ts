import { z } from 'zod/mini'
import { type Category, prohibitedCategories } from './messages'

const reviewId = z.int().check(z.positive(), z.maximum(2_147_483_647))

export const approveReviewSchema = z.strictObject({ reviewId })

/** `category`: what the person found, where it is not what the scanner thought. */
export const rejectReviewSchema = z.strictObject({
  reviewId,
  category: z.optional(z.enum(Object.keys(prohibitedCategories) as [Category, ...Category[]])),
})
export type RejectReviewInput = z.infer<typeof rejectReviewSchema>
