import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { emailSchema } from '@/lib/accounts/schema'
import { waitlistTexts } from './messages'

/** The body of a request to join a drop's waitlist. */
export const joinWaitlistSchema = z.strictObject({
  email: emailSchema,
  /** The value of the drop's option that a visitor waits for. Only a visitor who waits for a unit has to name one. */
  option: z.optional(z.string().check(...maxCharacters(100, waitlistTexts.optionUnknown))),
  /** The browser's time zone, in which emails give times. A zone that the server does not know is ignored. */
  timezone: z.optional(z.string().check(...maxCharacters(100))),
})

/** The secret in a link of an email. */
export const waitlistTokenSchema = z
  .string(waitlistTexts.linkInvalid)
  .check(z.regex(/^[A-Za-z0-9]{43}$/, waitlistTexts.linkInvalid))
export const confirmWaitlistSchema = z.object({ token: waitlistTokenSchema })

/** The id of a waitlist entry, and the key from the unsubscribe link, which only the emails to its owner contain. */
export const leaveWaitlistSchema = z.object({
  entry: z.pipe(
    z.string(waitlistTexts.linkInvalid).check(z.regex(/^\d{1,9}$/, waitlistTexts.linkInvalid)),
    z.transform(Number),
  ),
  key: z.string(waitlistTexts.linkInvalid).check(z.regex(/^[0-9a-f]{40}$/, waitlistTexts.linkInvalid)),
})
export type LeaveWaitlistInput = z.infer<typeof leaveWaitlistSchema>
