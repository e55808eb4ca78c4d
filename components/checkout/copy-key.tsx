'use client'

import { Copy } from 'lucide-react'
import { copyText } from '@/components/drops/share-link'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/client/toast-store'
import { orderTexts } from '@/lib/orders/messages'

/** Copies a key. Without JavaScript the button does nothing, but the key can be selected with one tap. */
export function CopyKey({ text }: { text: string }) {
  async function copy() {
    const isCopied = await copyText(text)
    toast(isCopied ? { title: orderTexts.keyCopied } : { title: orderTexts.keyNotCopied, tone: 'bad' })
  }
  return (
    <Button variant="ghost" size="icon" aria-label={`Copy ${text}`} onClick={() => void copy()}>
      <Copy aria-hidden />
    </Button>
  )
}
