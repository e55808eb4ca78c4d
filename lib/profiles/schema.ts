import { z } from 'zod/mini'
import { maxCharacters, maxItems } from '@/lib/kernel/max-characters'
import { profileTexts } from './messages'
import { ABOUT_MAX, MAX_LINKS, readLink, splitLinks } from './rules'

const aboutSchema = z.string().check(
  z.trim(),
  ...maxCharacters(ABOUT_MAX, profileTexts.aboutTooLong),
  // One line, without control characters and without marks that reverse the direction of the text after them.
  z.regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, profileTexts.aboutShape),
)

const linkSchema = z.string(profileTexts.linkInvalid).check(
  z.refine((typed) => readLink(typed) !== null, profileTexts.linkInvalid),
  z.overwrite((typed) => readLink(typed) ?? typed),
)

/** PATCH /api/user/public-profile (docs/contract.md#calls-about-accounts): any of these fields. */
export const publicProfileSchema = z.strictObject({
  about: z.optional(aboutSchema),
  links: z.optional(z.array(linkSchema).check(maxItems(MAX_LINKS, profileTexts.tooManyLinks))),
})
export type PublicProfileInput = z.infer<typeof publicProfileSchema>

/** The fields as the form has them: the links are one string with a link on each line. */
export const publicProfileFields = {
  about: aboutSchema,
  links: z.string().check(
    z.refine((typed) => splitLinks(typed).length <= MAX_LINKS, profileTexts.tooManyLinks),
    z.refine((typed) => splitLinks(typed).every((link) => readLink(link) !== null), profileTexts.linkInvalid),
  ),
}
