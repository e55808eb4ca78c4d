'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Power } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { adminTexts, adminToasts } from '@/lib/admin/messages'
import { outageHours, PAUSE_WORD } from '@/lib/admin/rules'
import { ApiError, callApi } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { adminKeys } from './admin-keys'
import { ExtendAll, type ExtendAllAction, type Outage } from './extend-all'
import { useStepUp } from '@/components/accounts/step-up-provider'
import { TypedConfirmation } from './typed-confirmation'

const TOAST_MS = 3_000

type Settings = { isActive: boolean }

type SettingsTabProps = { initial: Settings; pausedAt: string | null; onExtendAll: ExtendAllAction }

/**
 * Shows the Settings tab. The tab has the kill switch, and a form that gives all live drops extra time after an outage
 * (docs/product.md#kill-switch).
 */
export function SettingsTab({ initial, pausedAt, onExtendAll }: SettingsTabProps) {
  const queryClient = useQueryClient()
  const stepUp = useStepUp()
  const [isAsking, setIsAsking] = useState(false)
  // The page was rendered before a pause that began while it was open.
  const [pausedHere, setPausedHere] = useState<string | null>(null)
  const [outage, setOutage] = useState<Outage | null>(null)
  const since = pausedHere ?? pausedAt
  const { data: settings } = useQuery({
    queryKey: adminKeys.platform,
    queryFn: () => callApi<Settings>('GET', '/api/admin/platform-settings'),
    initialData: initial,
  })
  const toggle = useMutation({
    // The call sets a state instead of toggling it, so that two administrators who press at the same time do not undo
    // each other's change (docs/product.md#kill-switch).
    mutationFn: (isActive: boolean) =>
      stepUp(() => callApi<Settings>('POST', '/api/admin/toggle-platform', { isActive })),
    onSuccess: ({ isActive }) => {
      setIsAsking(false)
      const now = new Date()
      setPausedHere(isActive ? since : now.toISOString())
      setOutage(isActive && since ? { since, hours: outageHours(new Date(since), now) } : null)
      toast({ ...(isActive ? adminToasts.platformEnabled : adminToasts.platformDisabled), durationMs: TOAST_MS })
    },
    onError: (error) => {
      const description = (error instanceof ApiError && error.serverText) || adminToasts.toggleFailed
      toast({ title: 'Error', description, tone: 'bad', durationMs: TOAST_MS })
    },
    onSettled: () => refreshQueries(queryClient, adminKeys.platform),
  })
  return (
    <div className="grid gap-4 lg:grid-cols-2 lg:items-start">
      <Card className="grid gap-4 p-5">
        <div className="grid gap-1">
          <h2 className="flex items-center gap-2 text-xl font-bold">
            <Power aria-hidden className="size-5" />
            {adminTexts.killSwitchTitle}
          </h2>
          <p className="text-muted">{adminTexts.killSwitch}</p>
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Badge variant={settings.isActive ? 'good' : 'destructive'} className="text-sm">
            {settings.isActive ? adminTexts.active : adminTexts.disabled}
          </Badge>
          <Button
            variant={settings.isActive ? 'outlineDestructive' : 'default'}
            disabled={toggle.isPending}
            onClick={() => (settings.isActive ? setIsAsking(true) : toggle.mutate(true))}
          >
            {settings.isActive ? 'Disable Platform' : 'Enable Platform'}
          </Button>
        </div>
        {settings.isActive ? null : (
          <p role="status" className="rounded-control border border-warn/50 bg-warn/8 p-3 text-sm text-warn">
            {adminTexts.disabledNotice}
          </p>
        )}
      </Card>
      <ExtendAll key={outage?.since} pausedAt={since} outage={outage} onExtend={onExtendAll} />
      {isAsking ? (
        <TypedConfirmation
          title="Disable the platform?"
          description="Everyone except admins sees a paused page within a second. Unpaid checkouts are closed. Paid orders are kept."
          word={PAUSE_WORD}
          confirmLabel="Disable Platform"
          isBusy={toggle.isPending}
          onConfirm={() => toggle.mutate(false)}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </div>
  )
}
