import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { emailSchema } from '@/lib/accounts/schema'
import { followerTexts } from './messages'
import { followSources } from './rules'

/** The form in which a visitor asks for emails about a seller's drops. `drop` is the identifier of the drop page. */
export const followSchema = z.strictObject({
  email: emailSchema,
  from: z.enum(followSources),
  drop: z.optional(z.string().check(...maxCharacters(60))),
  /** The browser's time zone, in which emails give times. A zone that the server does not know is ignored. */
  timezone: z.optional(z.string().check(...maxCharacters(100))),
})
export type FollowInput = z.infer<typeof followSchema>

/** The secret in a link of an email. */
export const followTokenSchema = z
  .string(followerTexts.linkInvalid)
  .check(z.regex(/^[A-Za-z0-9]{43}$/, followerTexts.linkInvalid))
export const confirmFollowSchema = z.object({ token: followTokenSchema })

/** The id of a follower, and the key from the unsubscribe link, which only this follower's emails contain. */
export const leaveSellerSchema = z.object({
  follower: z.pipe(
    z.string(followerTexts.linkInvalid).check(z.regex(/^\d{1,9}$/, followerTexts.linkInvalid)),
    z.transform(Number),
  ),
  key: z.string(followerTexts.linkInvalid).check(z.regex(/^[0-9a-f]{40}$/, followerTexts.linkInvalid)),
})
export type LeaveSellerInput = z.infer<typeof leaveSellerSchema>
