'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'

export type MarkDeliveredAction = (input: { orderId: string }) => Promise<{ ok: true } | { ok: false; error: string }>

type MarkDeliveredProps = { orderId: string; completion: 'delivered' | 'done'; action: MarkDeliveredAction }

/** Says that a parcel has arrived, or a service is done. The buyer hears of it. */
export function MarkDelivered({ orderId, completion, action }: MarkDeliveredProps) {
  const [isSending, setIsSending] = useState(false)

  async function send() {
    setIsSending(true)
    const outcome = await callAction(action, { orderId })
    setIsSending(false)
    if (outcome.ok) toast({ title: `Marked as ${completion}`, description: 'The buyer gets a mail.' })
    else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
  }

  return (
    <Button variant={completion === 'done' ? 'default' : 'outline'} isBusy={isSending} onClick={() => void send()}>
      {completion === 'done' ? 'Mark as done' : 'Mark as delivered'}
    </Button>
  )
}
