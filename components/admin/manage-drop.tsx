'use client'

import { useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { SwitchField } from '@/components/ui/switch'
import { MAX_EXTEND_HOURS } from '@/lib/admin/rules'
import type { UpdateDropInput } from '@/lib/admin/schema'
import type { AdminDropView } from '@/lib/admin/view'

type ManageDropProps = {
  drop: AdminDropView
  isBusy: boolean
  onPatch: (patch: UpdateDropInput) => void
  onClose: () => void
}

/** Active, featured, pinned; more time, the end, the archive, and back. */
export function ManageDrop({ drop, isBusy, onPatch, onClose }: ManageDropProps) {
  const [hours, setHours] = useState('24')
  const isOver = drop.state === 'ended' || drop.isRemoved
  const hasTimeLeft = new Date(drop.endTime) > new Date(drop.serverTime)
  const hoursNumber = Number(hours)
  const hasHours = Number.isInteger(hoursNumber) && hoursNumber >= 1 && hoursNumber <= MAX_EXTEND_HOURS
  const act = (action: NonNullable<UpdateDropInput['action']>, withHours = false) =>
    onPatch({ action, ...(withHours ? { hours: hoursNumber } : {}) })

  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent
        title="Manage Drop"
        description={
          <>
            {drop.title} · {isOver ? 'ended' : 'ends'} <LocalTime iso={drop.endTime} />
          </>
        }
      >
        <div className="grid gap-4 pb-2">
          {isOver ? null : (
            <div className="divide-y">
              <SwitchField
                label="Active"
                hint="Off: the page says paused, nobody can buy, unpaid checkouts are closed."
                checked={drop.isActive}
                disabled={isBusy}
                onCheckedChange={(isActive) => onPatch({ isActive })}
              />
              <SwitchField
                label="Featured"
                hint="Before the others in Live now."
                checked={drop.isFeatured}
                disabled={isBusy}
                onCheckedChange={(isFeatured) => onPatch({ isFeatured })}
              />
              <SwitchField
                label="Pinned"
                hint="Before the featured ones."
                checked={drop.isPinned}
                disabled={isBusy}
                onCheckedChange={(isPinned) => onPatch({ isPinned })}
              />
            </div>
          )}
          <Field
            id="drop-hours"
            label="Hours"
            hint={isOver ? 'How long it is live again.' : 'How much longer it is live.'}
          >
            <Input
              id="drop-hours"
              type="number"
              inputMode="numeric"
              min={1}
              max={MAX_EXTEND_HOURS}
              aria-describedby="drop-hours-hint"
              value={hours}
              onChange={(event) => setHours(event.target.value)}
            />
          </Field>
          <div className="grid gap-2 sm:grid-cols-2">
            {isOver ? (
              <>
                <Button disabled={isBusy || !hasHours} onClick={() => act('restore', true)}>
                  Restore for {hasHours ? hoursNumber : '…'} h
                </Button>
                {hasTimeLeft || drop.isRemoved ? (
                  <Button variant="outline" disabled={isBusy} onClick={() => act('restore')}>
                    {hasTimeLeft ? 'Restore with its time left' : 'Restore as a past drop'}
                  </Button>
                ) : null}
              </>
            ) : (
              <>
                <Button className="sm:col-span-2" disabled={isBusy || !hasHours} onClick={() => act('extend', true)}>
                  Extend by {hasHours ? hoursNumber : '…'} h
                </Button>
                <Button variant="outline" disabled={isBusy} onClick={() => act('end')}>
                  End now
                </Button>
                <Button variant="outline" disabled={isBusy} onClick={() => act('archive')}>
                  Archive
                </Button>
              </>
            )}
          </div>
          {isOver ? null : (
            <p className="text-sm text-muted">
              End now lets those finish who are paying. Archive closes their checkouts too.
            </p>
          )}
        </div>
      </DialogContent>
    </Dialog>
  )
}

type DeleteDropProps = { drop: AdminDropView; isBusy: boolean; onConfirm: () => void; onClose: () => void }

export function DeleteDrop({ drop, isBusy, onConfirm, onClose }: DeleteDropProps) {
  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogContent
        title="Delete this drop?"
        description={`${drop.title} ends and is hidden everywhere. Orders stay; it can be restored.`}
        footer={
          <>
            <Button variant="ghost" onClick={onClose}>
              Keep it
            </Button>
            <Button variant="outlineDestructive" disabled={isBusy} onClick={onConfirm}>
              Delete drop
            </Button>
          </>
        }
      >
        <p className="pb-2 text-sm text-muted">Unpaid checkouts are closed. What was paid is honoured.</p>
      </DialogContent>
    </Dialog>
  )
}
