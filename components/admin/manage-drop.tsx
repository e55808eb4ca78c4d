'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Input } from '@/components/ui/input'
import { LabeledField } from '@/components/ui/labeled-field'
import { SwitchField } from '@/components/ui/switch-field'
import { adminTexts } from '@/lib/admin/messages'
import { MAX_EXTEND_HOURS } from '@/lib/admin/rules'
import { hoursFormSchema, type UpdateDropInput } from '@/lib/admin/schema'
import type { AdminDropView } from '@/lib/admin/view'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { BuyersLink } from './buyers-link'

type ManageDropProps = {
  drop: AdminDropView
  isBusy: boolean
  onPatch: (patch: UpdateDropInput) => void
  onClose: () => void
}

/**
 * Shows the switches of a drop, and lets an administrator extend, end, archive or restore it. A drop that has ended or
 * was removed has no switches.
 */
export function ManageDrop({ drop, isBusy, onPatch, onClose }: ManageDropProps) {
  const isOver = drop.state === 'ended' || drop.isRemoved
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogSheet
        title="Manage Drop"
        description={
          <>
            {drop.title} ·{' '}
            {drop.state === 'upcoming' ? (
              <>
                starts <LocalTime iso={drop.startedAt} />,{' '}
              </>
            ) : null}
            {isOver ? 'ended' : 'ends'} <LocalTime iso={drop.endTime} />
          </>
        }
      >
        <div className="grid gap-4 pb-2">
          <BuyersLink url={drop.digitalFileUrl} />
          {isOver ? null : <Switches drop={drop} isBusy={isBusy} onPatch={onPatch} />}
          <TimeForm drop={drop} isOver={isOver} isBusy={isBusy} onPatch={onPatch} />
          {isOver ? null : (
            <p className="text-sm text-muted">End now lets current checkouts finish. Archive closes them.</p>
          )}
        </div>
      </DialogSheet>
    </Dialog>
  )
}

function Switches({ drop, isBusy, onPatch }: Omit<ManageDropProps, 'onClose'>) {
  return (
    <div className="divide-y">
      <SwitchField
        label="Active"
        hint="When off, the page says paused, nobody can buy, and unpaid checkouts are closed."
        checked={drop.isActive}
        disabled={isBusy}
        onCheckedChange={(isActive) => onPatch({ isActive })}
      />
      <SwitchField
        label="Featured"
        hint="Shown before the others in Live now."
        checked={drop.isFeatured}
        disabled={isBusy}
        onCheckedChange={(isFeatured) => onPatch({ isFeatured })}
      />
      <SwitchField
        label="Pinned"
        hint="Shown before featured drops."
        checked={drop.isPinned}
        disabled={isBusy}
        onCheckedChange={(isPinned) => onPatch({ isPinned })}
      />
    </div>
  )
}

function hintOf({ isRemoved }: AdminDropView, isOver: boolean): string {
  if (isRemoved) return adminTexts.restoreHint
  return isOver ? 'How long to put the drop back on sale.' : 'How much longer the drop stays live.'
}

type TimeFormProps = Omit<ManageDropProps, 'onClose'> & { isOver: boolean }

/**
 * Extends the drop by the typed number of hours, or restores it for that long. Other buttons restore it without more
 * hours, end it or archive it. Every button acts right away.
 */
function TimeForm({ drop, isOver, isBusy, onPatch }: TimeFormProps) {
  const { control, handleSubmit } = useForm({
    resolver: zodResolver(hoursFormSchema),
    defaultValues: { hours: '24' },
  })
  const typed = hoursFormSchema.safeParse(useWatch({ control }))
  const hours = typed.success ? typed.data.hours : null
  const hasTimeLeft = new Date(drop.endTime) > new Date(drop.serverTime)
  if (isOver && drop.isOpenEdition && !drop.isRemoved) return <p>{openTexts.adminReopen}</p>
  const withHours = (action: 'extend' | 'restore') => void handleSubmit((given) => onPatch({ action, ...given }))()
  return (
    <>
      <LabeledField control={control} name="hours" id="drop-hours" label="Hours" hint={hintOf(drop, isOver)}>
        {(field) => <Input {...field} type="number" inputMode="numeric" min={1} max={MAX_EXTEND_HOURS} />}
      </LabeledField>
      <div className="grid gap-2 sm:grid-cols-2">
        {isOver ? (
          <>
            <Button disabled={isBusy || hours === null} onClick={() => withHours('restore')}>
              Restore for {hours ?? '…'} hours
            </Button>
            {hasTimeLeft || drop.isRemoved ? (
              <Button variant="outline" disabled={isBusy} onClick={() => onPatch({ action: 'restore' })}>
                {hasTimeLeft ? 'Restore with its time left' : 'Restore as a past drop'}
              </Button>
            ) : null}
          </>
        ) : (
          <>
            <Button className="sm:col-span-2" disabled={isBusy || hours === null} onClick={() => withHours('extend')}>
              Extend by {hours ?? '…'} hours
            </Button>
            <Button variant="outline" disabled={isBusy} onClick={() => onPatch({ action: 'end' })}>
              End now
            </Button>
            <Button variant="outline" disabled={isBusy} onClick={() => onPatch({ action: 'archive' })}>
              Archive
            </Button>
          </>
        )}
      </div>
    </>
  )
}
