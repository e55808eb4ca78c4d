'use client'

import { MonitorSmartphone } from 'lucide-react'
import { useState, useTransition } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import type { DeviceView } from '@/lib/accounts/view'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'

type DeviceListProps = {
  devices: DeviceView[]
  onEnd: ServerAction<{ deviceId: string }>
  onEndOthers: ServerAction<object>
}

/**
 * A long list first shows this many devices and hides those that were seen longest ago. A list with only one device
 * more is shown whole.
 */
const SHOWN = 4

export function DeviceList({ devices, onEnd, onEndOthers }: DeviceListProps) {
  const [isPending, startTransition] = useTransition()
  const [isOpened, setIsOpened] = useState(false)
  const isWhole = isOpened || devices.length <= SHOWN + 1
  const run = <Input,>(action: ServerAction<Input>, input: Input, done: string) =>
    startTransition(async () => {
      const outcome = await callAction(action, input)
      if (outcome.ok) toast({ title: done })
      else toast({ title: 'Error', description: outcome.error, tone: 'bad' })
    })
  return (
    <section id="devices" className="grid gap-4">
      <h2 className="text-2xl font-bold">Your devices</h2>
      <ul className="grid gap-3">
        {(isWhole ? devices : devices.slice(0, SHOWN)).map((device) => (
          <li key={device.id}>
            <Card className="flex flex-wrap items-center gap-x-4 gap-y-2 p-4">
              <MonitorSmartphone aria-hidden className="size-6 shrink-0 text-muted" />
              <div className="grid min-w-[min(10rem,100%)] flex-1 gap-0.5">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {device.label}
                  {device.isThisOne ? <Badge variant="good">This device</Badge> : null}
                </p>
                <p className="text-sm text-muted">
                  {device.ip ? `${device.ip}, last` : 'Last'} seen <LocalTime iso={device.lastSeenAt} />
                </p>
              </div>
              {device.isThisOne ? null : (
                <Button
                  variant="outline"
                  size="sm"
                  isBusy={isPending}
                  onClick={() => run(onEnd, { deviceId: device.id }, 'Signed out on that device')}
                >
                  Sign out<span className="sr-only"> {device.label}</span>
                </Button>
              )}
            </Card>
          </li>
        ))}
      </ul>
      {devices.length > 1 ? (
        <div className="flex flex-wrap gap-3">
          <Button
            variant="outline"
            isBusy={isPending}
            onClick={() => run(onEndOthers, {}, 'Signed out on all other devices')}
          >
            Sign out everywhere else
          </Button>
          {isWhole ? null : (
            <Button variant="ghost" onClick={() => setIsOpened(true)}>
              Show {devices.length - SHOWN} more
            </Button>
          )}
        </div>
      ) : null}
    </section>
  )
}
