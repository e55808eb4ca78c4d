'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { TimerReset } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod/mini'
import { useStepUp } from '@/components/accounts/step-up-provider'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { SwitchField } from '@/components/ui/switch-field'
import { adminTexts, extendedText } from '@/lib/admin/messages'
import { MAX_EXTEND_HOURS } from '@/lib/admin/rules'
import { extendLiveDropsFormSchema, type ExtendLiveDropsInput } from '@/lib/admin/schema'
import { failureText } from '@/lib/client/call-api'
import { callGuardedAction } from '@/lib/client/call-guarded-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { MINUTE_MS } from '@/lib/kernel/time'
import { TypedConfirmation } from './typed-confirmation'

type Extended = { extended: number; returned: number }
export type ExtendAllAction = ServerAction<ExtendLiveDropsInput, Extended>

/** What an administrator types to confirm. */
const WORD = 'EXTEND'

/** Formats a moment for a datetime-local field: in the reader's own time, without a zone. */
function toLocalInput(moment: Date): string {
  return new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
}

type ExtendAllProps = {
  /** When the platform was last paused, or null if it never was. */
  pausedAt: string | null
  /** The outage that has just ended. The form then begins with its length, and asks for the confirmation right away. */
  outage?: Outage | null
  onExtend: ExtendAllAction
}

/** An outage that has just ended: when it began, and its length in whole hours. */
export type Outage = { since: string; hours: number }

type Typed = z.input<typeof extendLiveDropsFormSchema>

const typedFor = (outage: Outage | null): Typed =>
  outage
    ? { hours: String(outage.hours), endedSince: toLocalInput(new Date(outage.since)) }
    : { hours: '1', endedSince: null }

/** Gives every running drop more hours after an outage. The form can also bring back drops that ended meanwhile. */
export function ExtendAll({ pausedAt, outage = null, onExtend }: ExtendAllProps) {
  const [isAsking, setIsAsking] = useState(outage !== null)
  const stepUp = useStepUp()
  const { control, handleSubmit, formState, setValue } = useForm({
    resolver: zodResolver(extendLiveDropsFormSchema),
    defaultValues: typedFor(outage),
  })
  const typed = useWatch({ control })
  const isValid = extendLiveDropsFormSchema.safeParse(typed).success

  const extend = handleSubmit(async ({ hours, endedSince }) => {
    const input = { hours, ...(endedSince ? { endedSince } : {}) }
    const failed = (description: string) => toast({ title: 'Error', description, tone: 'bad' })
    const outcome = await stepUp(() => callGuardedAction(onExtend, input)).catch((error: unknown) => {
      failed(failureText(error))
      return null
    })
    if (!outcome) return
    if (!outcome.ok) return failed(outcome.error)
    setIsAsking(false)
    const { extended, returned } = outcome.value
    const description =
      returned > 0 ? `${returned} of them had ended and ${returned === 1 ? 'is' : 'are'} back.` : undefined
    toast({ title: extendedText(extended, hours), description })
  })

  return (
    <Card className="grid gap-4 p-5">
      <Heading pausedAt={pausedAt} />
      <SwitchField
        label="Include drops that ended during the outage"
        hint={adminTexts.includeEnded}
        checked={typed.endedSince !== null}
        onCheckedChange={(isOn) =>
          setValue('endedSince', isOn ? toLocalInput(pausedAt ? new Date(pausedAt) : new Date()) : null)
        }
      />
      {typed.endedSince === null ? null : (
        <LabeledField control={control} name="endedSince" id="extend-all-since" label="Start of the outage">
          {({ value, ...field }) => <Input {...field} value={value ?? ''} type="datetime-local" />}
        </LabeledField>
      )}
      <div className="flex items-end gap-3">
        <LabeledField control={control} name="hours" id="extend-all-hours" label="Hours" className="w-28">
          {(field) => <Input {...field} type="number" inputMode="numeric" min={1} max={MAX_EXTEND_HOURS} />}
        </LabeledField>
        <Button variant="outline" size="field" disabled={!isValid} onClick={() => setIsAsking(true)}>
          Extend all
        </Button>
      </div>
      {isAsking ? (
        <TypedConfirmation
          title={
            outage
              ? `Give every live drop ${Number(typed.hours)} h back?`
              : `Extend every live drop by ${Number(typed.hours)} h?`
          }
          description={`${outage ? adminTexts.outageOver : ''}${adminTexts.extendAll}`}
          word={WORD}
          confirmLabel="Extend all"
          isBusy={formState.isSubmitting}
          onConfirm={() => void extend()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </Card>
  )
}

function Heading({ pausedAt }: Pick<ExtendAllProps, 'pausedAt'>) {
  return (
    <div className="grid gap-1">
      <h2 className="flex items-center gap-2 text-xl font-bold">
        <TimerReset aria-hidden className="size-5" />
        Extend all live drops
      </h2>
      <p className="text-muted">
        Gives every live drop more time after an outage. Drops that start later keep their times. Followers who could
        buy early during the outage lose that time. The public start stays the same.
      </p>
      {pausedAt ? (
        <p className="text-sm text-muted">
          Last paused: <LocalTime iso={pausedAt} />
        </p>
      ) : null}
    </div>
  )
}
