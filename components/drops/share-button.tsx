'use client'

import { Share2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { copyLink, shareLink } from './share-link'

type ShareButtonProps = { title: string; path: string; label?: string; className?: string }

export function ShareButton({ title, path, label = 'Share', className }: ShareButtonProps) {
  return (
    <Button variant="outline" className={className} onClick={() => void shareLink({ title, path })}>
      <Share2 aria-hidden />
      {label}
    </Button>
  )
}

/** `withWhat` is added to the accessible name, for pages that have several of these buttons. */
type CopyButtonProps = { path: string; label?: string; withWhat?: string; className?: string }

export function CopyButton({ path, label = 'Copy', withWhat, className }: CopyButtonProps) {
  const name = withWhat ? `${label} with ${withWhat}` : undefined
  return (
    <Button variant="outline" aria-label={name} className={className} onClick={() => void copyLink(path)}>
      {label}
    </Button>
  )
}
