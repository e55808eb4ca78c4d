'use client'

import { RotateCw } from 'lucide-react'
import { useTransition } from 'react'
import { Button } from '@/components/ui/button'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'

export function ReplayButton({
  id,
  type,
  onReplay,
}: {
  id: string
  type: string
  onReplay: ServerAction<{ id: string }, string>
}) {
  const [isPending, startTransition] = useTransition()
  const replay = () =>
    startTransition(async () => {
      const outcome = await callAction(onReplay, { id })
      if (outcome.ok) toast({ title: 'Event replayed', description: outcome.value })
      else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
    })
  return (
    <Button variant="outline" size="sm" isBusy={isPending} aria-label={`Replay ${type} ${id}`} onClick={replay}>
      <RotateCw aria-hidden />
      Replay
    </Button>
  )
}
