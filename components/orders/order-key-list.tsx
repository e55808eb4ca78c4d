'use client'

import { useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import type { SellerKeyView } from '@/lib/orders/detail-view'

export type VoidKeyAction = ServerAction<{ orderId: string; keyId: number }>

type OrderKeyListProps = { orderId: string; keys: SellerKeyView[]; action: VoidKeyAction }

/** Shows the keys of an order to its seller, and whether the buyer has seen them. */
export function OrderKeyList({ orderId, keys, action }: OrderKeyListProps) {
  return (
    <Card className="grid gap-3 p-5">
      <h2 className="text-xl font-bold">Keys</h2>
      <ul className="grid gap-3">
        {keys.map((key) => (
          <li key={key.id} className="grid gap-1 border-b pb-3 last:border-b-0 last:pb-0">
            <code dir="auto" className="font-mono wrap-anywhere whitespace-pre-wrap select-all">
              {key.key}
            </code>
            <KeyState view={key} />
            {key.state === 'spent' ? <MarkVoid orderId={orderId} keyId={key.id} action={action} /> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function KeyState({ view: { state, shownAt } }: { view: SellerKeyView }) {
  if (state === 'given' || !shownAt) return <p className="text-sm text-muted">The buyer hasn&apos;t seen it yet.</p>
  return (
    <p className="text-sm text-muted">
      Shown to the buyer <LocalTime iso={shownAt} />.
      {state === 'spent' ? " The buyer saw this key before the refund, so we won't sell the key again." : null}
      {state === 'void' ? ' Marked as void.' : null}
    </p>
  )
}

function MarkVoid({ orderId, keyId, action }: { orderId: string; keyId: number; action: VoidKeyAction }) {
  const [isSending, setIsSending] = useState(false)

  async function send() {
    setIsSending(true)
    const outcome = await callAction(action, { orderId, keyId })
    setIsSending(false)
    if (outcome.ok) toast({ title: 'Marked as void' })
    else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
  }

  return (
    <div className="grid justify-items-start gap-1">
      <p className="text-sm text-muted">Turned this key off in your own system? Mark it here.</p>
      <Button variant="outline" size="sm" isBusy={isSending} onClick={() => void send()}>
        Mark as void
      </Button>
    </div>
  )
}
