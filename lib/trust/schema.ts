import { z } from 'zod/mini'
import { type Category, prohibitedCategories } from '@/lib/moderation/messages'
import { trustTexts } from './messages'

/** The reasons of a report: a category of the policy, or another reason that the text explains. */
const reportCategories = ['other', ...Object.keys(prohibitedCategories)] as ['other', ...Category[]]

/** In characters; a line break counts as one. */
export const MAX_DETAILS = 1_000

export const reportSchema = z.object({
  category: z.enum(reportCategories, trustTexts.categoryMissing),
  details: z._default(z.string().check(z.trim(), z.maxLength(MAX_DETAILS, trustTexts.detailsTooLong)), ''),
})
export type ReportInput = z.infer<typeof reportSchema>

export const appealSchema = z.strictObject({
  text: z
    .string(trustTexts.appealMissing)
    .check(z.trim(), z.minLength(1, trustTexts.appealMissing), z.maxLength(2_000, trustTexts.appealTooLong)),
})
export type AppealInput = z.infer<typeof appealSchema>

export const decideAppealSchema = z.strictObject({
  appealId: z.int().check(z.positive(), z.maximum(2_147_483_647)),
  isLifted: z.boolean(),
})
export type DecideAppealInput = z.infer<typeof decideAppealSchema>

const reviewId = z.int().check(z.positive(), z.maximum(2_147_483_647))

export const approveReviewSchema = z.strictObject({ reviewId })

/** `category` is what the reviewer found, if it differs from the scanner's result. */
export const rejectReviewSchema = z.strictObject({
  reviewId,
  category: z.optional(z.enum(Object.keys(prohibitedCategories) as [Category, ...Category[]])),
})
export type RejectReviewInput = z.infer<typeof rejectReviewSchema>
