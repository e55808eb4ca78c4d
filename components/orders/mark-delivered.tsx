'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'

export type MarkDeliveredAction = ServerAction<{ orderId: string }>

type MarkDeliveredProps = { orderId: string; completion: 'delivered' | 'done'; action: MarkDeliveredAction }

/** Marks a parcel as delivered or a service as done. The buyer is notified. */
export function MarkDelivered({ orderId, completion, action }: MarkDeliveredProps) {
  const [isSending, setIsSending] = useState(false)

  async function send() {
    setIsSending(true)
    const outcome = await callAction(action, { orderId })
    setIsSending(false)
    if (outcome.ok)
      toast({
        title: `Marked as ${completion === 'done' ? 'complete' : completion}`,
        description: "We've emailed the buyer.",
      })
    else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
  }

  return (
    <Button variant={completion === 'done' ? 'default' : 'outline'} isBusy={isSending} onClick={() => void send()}>
      {completion === 'done' ? 'Mark as complete' : 'Mark as delivered'}
    </Button>
  )
}
