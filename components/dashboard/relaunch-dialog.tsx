'use client'

import { useState } from 'react'
import { Choice } from '@/components/drops/create/choice'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { describedBy, Field } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { useRelaunch } from '@/lib/client/use-drop-actions'
import { dropTexts } from '@/lib/drops/messages'
import { DURATIONS, nextQuantity } from '@/lib/drops/rules'
import { relaunchSchema } from '@/lib/drops/schema'
import type { SellerDropView } from '@/lib/drops/view'

type RelaunchDialogProps = { drop: SellerDropView; isOpen: boolean; onClose: () => void }

/** How long and how many: the same link with a fresh timer (DECISIONS 18). */
export function RelaunchDialog({ drop, isOpen, onClose }: RelaunchDialogProps) {
  const [duration, setDuration] = useState<number>(drop.duration)
  const [quantity, setQuantity] = useState(String(nextQuantity(drop) || ''))
  const [error, setError] = useState<string>()
  const { run, isPending } = useRelaunch(drop.id, onClose)
  const id = `relaunch-quantity-${drop.id}`

  function relaunch(event: React.FormEvent) {
    event.preventDefault()
    const input = relaunchSchema.safeParse({ duration, quantity })
    setError(input.success ? undefined : dropTexts.quantityInvalid)
    if (input.success) run(input.data)
  }

  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        title="Relaunch"
        description={`${drop.title} goes live again on the same link, with a fresh timer.`}
        footer={
          <Button form={`relaunch-${drop.id}`} type="submit" variant="buy" size="lg" disabled={isPending}>
            {isPending ? 'Relaunching...' : 'Relaunch Now'}
          </Button>
        }
      >
        <form id={`relaunch-${drop.id}`} noValidate onSubmit={relaunch} className="grid gap-5 py-1">
          <fieldset>
            <legend className="mb-2 text-sm font-semibold">Duration</legend>
            <div className="grid grid-cols-3 gap-2">
              {DURATIONS.map((hours) => (
                <Choice
                  key={hours}
                  name={`duration-${drop.id}`}
                  value={String(hours)}
                  label={`${hours} h`}
                  isChecked={duration === hours}
                  onSelect={() => setDuration(hours)}
                />
              ))}
            </div>
          </fieldset>
          <Field id={id} label="Quantity" hint={leftText(drop)} error={error}>
            <Input
              id={id}
              inputMode="numeric"
              autoComplete="off"
              value={quantity}
              aria-invalid={error ? true : undefined}
              aria-describedby={describedBy(id, { hint: true, error: Boolean(error) })}
              onChange={(event) => setQuantity(event.target.value)}
            />
          </Field>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function leftText(drop: SellerDropView): string {
  if (drop.productType !== 'physical') return 'How many may be sold this time.'
  const left = nextQuantity(drop)
  return left > 0 ? `${left} left from the last run.` : 'All sold last time. Say how many you have now.'
}
