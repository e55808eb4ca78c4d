'use client'

import { TimerReset } from 'lucide-react'
import { useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { SwitchField } from '@/components/ui/switch'
import { MAX_EXTEND_HOURS } from '@/lib/admin/rules'
import type { ExtendLiveDropsInput } from '@/lib/admin/schema'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { MINUTE_MS } from '@/lib/kernel/time'
import { TypedConfirmation } from './typed-confirmation'

type Extended = { extended: number; returned: number }
export type ExtendAllAction = ServerAction<ExtendLiveDropsInput, Extended>

const WORD = 'EXTEND'

/** Formats a moment for a datetime-local field: in the reader's own time, without a zone. */
function toLocalInput(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

type ExtendAllProps = {
  /** When the platform was last paused. */
  pausedAt: string | null
  onExtend: ExtendAllAction
}

/**
 * Used after an outage: every running drop gets the lost time back, and drops that ended during the outage may run
 * again.
 */
export function ExtendAll({ pausedAt, onExtend }: ExtendAllProps) {
  const [hours, setHours] = useState('1')
  const [since, setSince] = useState<string | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const count = Number(hours)
  const isGood = Number.isInteger(count) && count >= 1 && count <= MAX_EXTEND_HOURS && since !== ''

  async function extend() {
    setIsBusy(true)
    const input = { hours: count, ...(since ? { endedSince: new Date(since).toISOString() } : {}) }
    const outcome = await callAction(onExtend, input)
    setIsBusy(false)
    if (!outcome.ok) return toast({ title: 'Error', description: outcome.error, tone: 'bad' })
    setIsAsking(false)
    const { extended, returned } = outcome.value
    const description =
      returned > 0 ? `${returned} of them had ended and ${returned === 1 ? 'is' : 'are'} back.` : undefined
    toast({ title: `${extended === 1 ? '1 drop' : `${extended} drops`} extended by ${count} h`, description })
  }

  return (
    <Card className="grid gap-4 p-5">
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-xl font-bold">
          <TimerReset aria-hidden className="size-5" />
          Extend all live drops
        </h2>
        <p className="text-muted">Gives every running drop more time, after an outage that took it from all of them.</p>
        {pausedAt ? (
          <p className="text-sm text-muted">
            Last paused: <LocalTime iso={pausedAt} />
          </p>
        ) : null}
      </div>
      <SwitchField
        label="Also drops that ended meanwhile"
        hint="They come back with the same hours more. What was ended by hand stays ended."
        checked={since !== null}
        onCheckedChange={(isOn) => setSince(isOn ? toLocalInput(pausedAt ? new Date(pausedAt) : new Date()) : null)}
      />
      {since === null ? null : (
        <Field id="extend-all-since" label="The outage began">
          <Input
            id="extend-all-since"
            type="datetime-local"
            value={since}
            onChange={(event) => setSince(event.target.value)}
          />
        </Field>
      )}
      <div className="flex items-end gap-3">
        <Field id="extend-all-hours" label="Hours" className="w-28">
          <Input
            id="extend-all-hours"
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_EXTEND_HOURS}
            value={hours}
            onChange={(event) => setHours(event.target.value)}
          />
        </Field>
        <Button variant="outline" size="field" disabled={!isGood} onClick={() => setIsAsking(true)}>
          Extend all
        </Button>
      </div>
      {isAsking ? (
        <TypedConfirmation
          title={`Extend every live drop by ${count} h?`}
          description="Their pages show the new end at once. Only each drop's own end takes it back."
          word={WORD}
          confirmLabel="Extend all"
          isBusy={isBusy}
          onConfirm={() => void extend()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Card>
  )
}
