'use client'

import { Share2 } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from '@/components/ui/button'
import { copyLink, shareLink } from './share-link'

type ShareButtonProps = Pick<ComponentProps<typeof Button>, 'variant' | 'size' | 'className'> & {
  title: string
  path: string
  /** The text that is shared together with the link. Apps that accept only a link leave it out. */
  text?: string
  label?: string
}

export function ShareButton({ title, path, text, label = 'Share', variant = 'outline', ...props }: ShareButtonProps) {
  return (
    <Button variant={variant} onClick={() => void shareLink({ title, path, ...(text ? { text } : {}) })} {...props}>
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
