'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { accountToasts } from '@/lib/accounts/messages'
import type { UserView } from '@/lib/accounts/view'
import { ApiError, callApi } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { uploadForm } from '@/lib/client/upload-form'
import type { PublicProfileView } from '@/lib/profiles/view'
import type { ProfileImage } from './use-profile-image'

/** The query key of the public profile's texts. */
export const PUBLIC_PROFILE_KEY = ['api', 'user', 'public-profile']

/** The names and the email address as typed, with the password that a new email address requires. */
export type ProfileNames = { firstName: string; lastName: string; email: string; password?: string }

/**
 * Returns the three calls that save a profile: the names and the email address, the texts of the public profile, and
 * the picture. The first two throw when they are refused.
 * @param words the texts of the public profile that the server has; null when they could not be loaded
 */
export function useProfileSaves(
  user: UserView,
  words: PublicProfileView | null,
  image: Pick<ProfileImage, 'file' | 'isRemoved'>,
) {
  const queryClient = useQueryClient()
  /** The names and the email address that were saved last, so that a second attempt does not send them again. */
  const [savedNames, setSavedNames] = useState('')
  const remember = (changed: UserView) => queryClient.setQueryData(['api', 'auth', 'user'], changed)

  async function saveNames(names: ProfileNames): Promise<void> {
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

  return { saveNames, saveWords, saveImage }
}
