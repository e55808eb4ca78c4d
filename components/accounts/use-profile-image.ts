'use client'

import { useEffect, useState } from 'react'
import { accountToasts } from '@/lib/accounts/messages'
import { PROFILE_IMAGE_MAX_BYTES } from '@/lib/accounts/rules'
import { toast } from '@/lib/client/toast-store'

export type ProfileImage = {
  /** The URL of the picture to show: the picked file, or else the stored picture. It is null when there is none. */
  src: string | null
  file: File | null
  isRemoved: boolean
  pick: (file: File) => void
  remove: () => void
}

/**
 * Holds the choice of a profile picture. A picked picture is previewed from its file, and nothing is sent before Save
 * (docs/product.md#profile-and-picture).
 */
export function useProfileImage(current: string | null): ProfileImage {
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [isRemoved, setIsRemoved] = useState(false)

  // The browser keeps a picked file in memory until its object URL is revoked.
  useEffect(() => () => (preview ? URL.revokeObjectURL(preview) : undefined), [preview])

  function pick(picked: File) {
    if (!picked.type.startsWith('image/')) return toast({ ...accountToasts.invalidFileType, tone: 'bad' })
    if (picked.size > PROFILE_IMAGE_MAX_BYTES) return toast({ ...accountToasts.fileTooLarge, tone: 'bad' })
    setFile(picked)
    setPreview(URL.createObjectURL(picked))
    setIsRemoved(false)
  }

  function remove() {
    setFile(null)
    setPreview(null)
    setIsRemoved(current !== null)
  }

  return { src: preview ?? (isRemoved ? null : current), file, isRemoved, pick, remove }
}
