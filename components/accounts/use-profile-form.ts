'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type Control, useForm, type UseFormReturn } from 'react-hook-form'
import { z } from 'zod/mini'
import { accountToasts } from '@/lib/accounts/messages'
import { profileSchema } from '@/lib/accounts/schema'
import type { UserView } from '@/lib/accounts/view'
import { ApiError, callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { uploadForm } from '@/lib/client/upload-form'
import { splitLinks } from '@/lib/profiles/rules'
import { publicProfileFields } from '@/lib/profiles/schema'
import type { PublicProfileView } from '@/lib/profiles/view'
import { useProfileImage } from './use-profile-image'

/** The query key of the public profile's texts. */
export const PUBLIC_PROFILE_KEY = ['api', 'user', 'public-profile']

const formSchema = z.extend(z.required(z.omit(profileSchema, { password: true })), publicProfileFields)
type FormValues = z.infer<typeof formSchema> & { password?: string }

export type ProfileControl = Control<FormValues>

/**
 * Returns the form of "Edit Profile" and `save`, which makes up to three calls: for the names and the email address,
 * for the texts of the public profile, and for the picture. The call with the names comes first, so that a wrong
 * password changes nothing. `save` closes the dialog when all calls succeeded; otherwise everything that was typed
 * stays.
 * @param words the texts of the public profile, or null when they could not be loaded. In that case they are not sent.
 */
export function useProfileForm(user: UserView, words: PublicProfileView | null, onClose: () => void) {
  const queryClient = useQueryClient()
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
  /** The names and the email address that were saved last, so that a second attempt does not send them again. */
  const [savedNames, setSavedNames] = useState('')
  const remember = (changed: UserView) => queryClient.setQueryData(['api', 'auth', 'user'], changed)

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

  async function saveNames(names: Omit<FormValues, 'about' | 'links'>): Promise<void> {
    const asText = JSON.stringify(names)
    if (savedNames === asText) return
    const body = { ...names, password: names.password || undefined }
    remember(await callApi<UserView & { pendingEmail: string | null }>('PATCH', '/api/user/profile', body))
    setSavedNames(asText)
    const isNewAddress = names.email.toLowerCase() !== user.email
    toast({
      ...accountToasts.profileUpdated,
      ...(isNewAddress ? { description: `Confirm ${names.email} with the link we emailed you.` } : {}),
    })
  }

  /** Sends the texts of the public profile that were changed, if any. */
  async function saveWords(changed: PublicProfileView): Promise<void> {
    if (!words) return
    // A field that was not changed here is not sent, because it may have been changed on another device.
    const about = changed.about === words.about ? undefined : changed.about
    const links = changed.links.join('\n') === words.links.join('\n') ? undefined : changed.links
    if (about === undefined && links === undefined) return
    const saved = await callApi<PublicProfileView>('PATCH', '/api/user/public-profile', { about, links })
    queryClient.setQueryData(PUBLIC_PROFILE_KEY, saved)
  }

  /** Returns true when the picture is saved or there was nothing to save. */
  async function saveImage(): Promise<boolean> {
    try {
      if (image.file) {
        const form = new FormData()
        form.set('profileImage', image.file)
        remember((await uploadForm<{ user: UserView }>('/api/user/profile-image', form).done).user)
        toast(accountToasts.profileImageUpdated)
      } else if (image.isRemoved) {
        remember((await callApi<{ user: UserView }>('DELETE', '/api/user/profile-image')).user)
        toast(accountToasts.profileImageRemoved)
      }
      return true
    } catch (error) {
      // A refusal that says what is wrong with the picture, or when to try again, is more exact than the general text.
      const isExact = error instanceof ApiError && (error.field === 'profileImage' || error.status === 429)
      toast({
        ...(image.file ? accountToasts.profileImageFailed : accountToasts.profileImageRemoveFailed),
        ...(isExact ? { description: error.text } : {}),
        tone: 'bad',
      })
      return false
    }
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
