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

export function CopyButton({ path, className }: { path: string; className?: string }) {
  return (
    <Button variant="outline" className={className} onClick={() => void copyLink(path)}>
      Copy
    </Button>
  )
}
