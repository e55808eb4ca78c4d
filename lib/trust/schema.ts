import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { type Category, prohibitedCategories } from '@/lib/moderation/messages'
import { trustTexts } from './messages'

/** The reasons for a report: a category of the policy, or another reason that the details can explain. */
const reportCategories = ['other', ...Object.keys(prohibitedCategories)] as ['other', ...Category[]]

/** The longest details, in characters. A line break counts as one character. */
export const MAX_DETAILS = 1_000

export const reportSchema = z.object({
  category: z.enum(reportCategories, trustTexts.categoryMissing),
  details: z._default(z.string().check(z.trim(), ...maxCharacters(MAX_DETAILS, trustTexts.detailsTooLong)), ''),
})
export type ReportInput = z.infer<typeof reportSchema>

export const appealSchema = z.strictObject({
  text: z
    .string(trustTexts.appealMissing)
    .check(z.trim(), z.minLength(1, trustTexts.appealMissing), ...maxCharacters(2_000, trustTexts.appealTooLong)),
})
export type AppealInput = z.infer<typeof appealSchema>

const id = z.int().check(z.positive(), z.maximum(MAX_DATABASE_INT))

export const decideAppealSchema = z.strictObject({ appealId: id, isLifted: z.boolean() })
export type DecideAppealInput = z.infer<typeof decideAppealSchema>

const clearReason = z
  .string()
  .check(z.trim(), z.minLength(1, trustTexts.clearReasonMissing), ...maxCharacters(500, trustTexts.clearReasonTooLong))

/** The body of the call that removes what a seller has written on the public profile. */
export const clearProfileSchema = z.strictObject({ userId: id, reason: clearReason })
export type ClearProfileInput = z.infer<typeof clearProfileSchema>

/** The form of this call in the admin panel. */
export const clearProfileFormSchema = z.strictObject({ reason: clearReason })

export const keepProfileSchema = z.strictObject({ userId: id, lastReportId: id })
export type KeepProfileInput = z.infer<typeof keepProfileSchema>

export const approveReviewSchema = z.strictObject({ reviewId: id })

/** `category` is what the reviewer found. Without it, the category of the review counts. */
export const rejectReviewSchema = z.strictObject({
  reviewId: id,
  category: z.optional(z.enum(Object.keys(prohibitedCategories) as [Category, ...Category[]])),
})
export type RejectReviewInput = z.infer<typeof rejectReviewSchema>

/** The form that rejects a drop, in which a category must be chosen. */
export const rejectReviewFormSchema = z.extend(rejectReviewSchema, {
  category: z
    .union([z.literal(''), z.enum(Object.keys(prohibitedCategories) as [Category, ...Category[]])])
    .check(z.refine((chosen) => chosen !== '', trustTexts.rejectCategoryMissing)),
})
export type RejectReviewForm = z.input<typeof rejectReviewFormSchema>
