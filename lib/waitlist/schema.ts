import { z } from 'zod/mini'
import { emailSchema } from '@/lib/accounts/schema'
import { waitlistTexts } from './messages'

/** The body of a request to join a drop's waitlist. */
export const joinWaitlistSchema = z.strictObject({
  email: emailSchema,
  /** The value of the drop's option that somebody waits for; it may be empty when they wait for a new run. */
  option: z.optional(z.string().check(z.maxLength(100, waitlistTexts.optionUnknown))),
})

/** Secrets in links. */
export const waitlistTokenSchema = z
  .string(waitlistTexts.linkInvalid)
  .check(z.regex(/^[A-Za-z0-9]{43}$/, waitlistTexts.linkInvalid))
export const confirmWaitlistSchema = z.object({ token: waitlistTokenSchema })

/** A waitlist entry and the proof that the link was emailed to its owner. */
export const leaveWaitlistSchema = z.object({
  entry: z.pipe(
    z.string(waitlistTexts.linkInvalid).check(z.regex(/^\d{1,9}$/, waitlistTexts.linkInvalid)),
    z.transform(Number),
  ),
  key: z.string(waitlistTexts.linkInvalid).check(z.regex(/^[0-9a-f]{40}$/, waitlistTexts.linkInvalid)),
})
export type LeaveWaitlistInput = z.infer<typeof leaveWaitlistSchema>
