'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { type Control, useForm, type UseFormReturn } from 'react-hook-form'
import { z } from 'zod/mini'
import { accountToasts } from '@/lib/accounts/messages'
import { profileSchema } from '@/lib/accounts/schema'
import type { UserView } from '@/lib/accounts/view'
import { ApiError, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { splitLinks } from '@/lib/profiles/rules'
import { publicProfileFields } from '@/lib/profiles/schema'
import type { PublicProfileView } from '@/lib/profiles/view'
import { useProfileImage } from './use-profile-image'
import { type ProfileNames, useProfileSaves } from './use-profile-saves'

const formSchema = z.extend(z.required(z.omit(profileSchema, { password: true })), publicProfileFields)
type FormValues = z.infer<typeof formSchema> & ProfileNames

export type ProfileControl = Control<FormValues>

/**
 * Returns the form of "Edit Profile" and `save`, which makes up to three calls: for the names and the email address,
 * for the texts of the public profile, and for the picture. The call with the names comes first, so that a wrong
 * password changes nothing. `save` closes the dialog when all calls succeeded; otherwise everything that was typed
 * stays.
 * @param words the texts of the public profile, or null when they could not be loaded. In that case they are not sent.
 */
export function useProfileForm(user: UserView, words: PublicProfileView | null, onClose: () => void) {
  const image = useProfileImage(user.profileImageUrl)
  const form = useForm<FormValues>({
    resolver: zodResolver(z.extend(formSchema, { password: z.optional(z.string()) })),
    defaultValues: {
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      about: words?.about ?? '',
      links: words?.links.join('\n') ?? '',
    },
  })
  useLateTexts(form, words)
  const { saveNames, saveWords, saveImage } = useProfileSaves(user, words, image)

  const save = form.handleSubmit(async (values) => {
    const { about, links, ...names } = values
    try {
      await saveNames(names)
    } catch (error) {
      return showRefusal(error, values, accountToasts.profileFailed)
    }
    try {
      await saveWords({ about, links: splitLinks(links) })
    } catch (error) {
      return showRefusal(error, values, accountToasts.publicProfileFailed)
    }
    if (await saveImage()) onClose()
  })

  function showRefusal(error: unknown, values: FormValues, title: { title: string; description?: string }): void {
    // The server names a link by its position, as in "links.1"; the form has one field for all links.
    const field = error instanceof ApiError ? error.field?.replace(/\.\d+$/, '') : undefined
    const isAtField = error instanceof ApiError && field !== undefined && (field in values || field === 'password')
    if (isAtField) form.setError(field as keyof FormValues, { message: error.text }, { shouldFocus: true })
    // The toast does not repeat a message that is already shown at its field.
    toast({ ...title, ...(isAtField ? {} : { description: failureText(error) }), tone: 'bad' })
  }

  return { form, image, save }
}

/** Fills in the two fields of the public profile when its texts arrive after the form was shown. Other fields stay. */
function useLateTexts(form: UseFormReturn<FormValues>, words: PublicProfileView | null): void {
  const isLoaded = words !== null
  useEffect(() => {
    if (!words) return
    form.resetField('about', { defaultValue: words.about })
    form.resetField('links', { defaultValue: words.links.join('\n') })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- a later response must not replace what was typed since
  }, [isLoaded])
}
