'use client'

import { useTransition } from 'react'
import { useGuardedAction } from '@/components/accounts/use-guarded-action'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { accountName } from '@/lib/accounts/messages'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import type { DecideAppealInput } from '@/lib/trust/schema'
import type { AppealView } from '@/lib/trust/view'

export function AppealCard({ appeal, onDecide }: { appeal: AppealView; onDecide: ServerAction<DecideAppealInput> }) {
  const [isPending, startTransition] = useTransition()
  const guarded = useGuardedAction(onDecide)
  const decide = (isLifted: boolean) =>
    startTransition(async () => {
      const outcome = await guarded({ appealId: appeal.id, isLifted })
      if (outcome.ok) toast({ title: isLifted ? 'Suspension lifted' : 'Suspension kept' })
      else toast({ title: "Couldn't decide the appeal", description: outcome.error, tone: 'bad' })
    })
  return (
    <Card className="grid gap-3 p-4">
      <p className="text-sm text-muted">
        <a
          href={`/admin/users/${appeal.userId}`}
          className="inline-flex min-h-11 items-center font-semibold text-ink underline underline-offset-2 lg:min-h-6"
        >
          {accountName(appeal.username, appeal.email)}
        </a>{' '}
        · suspended{' '}
        {appeal.until ? (
          <>
            until <LocalTime iso={appeal.until} />
          </>
        ) : (
          'permanently'
        )}
        {appeal.reason ? `: ${appeal.reason}` : ''} · {appeal.strikes}{' '}
        {appeal.strikes === 1 ? 'violation' : 'violations'}
      </p>
      <p className="whitespace-pre-line">{appeal.text}</p>
      <div className="flex flex-wrap gap-2">
        <Button isBusy={isPending} onClick={() => decide(true)}>
          Lift suspension
        </Button>
        <Button variant="outline" isBusy={isPending} onClick={() => decide(false)}>
          Keep suspension
        </Button>
      </div>
    </Card>
  )
}
