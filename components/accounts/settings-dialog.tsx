'use client'

import { useQueryClient } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import Link from 'next/link'
import { useRef } from 'react'
import { PlanSection } from '@/components/plans/plan-section'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { Field, FieldDescription, FieldLabel } from '@/components/ui/field'
import { NativeSelect } from '@/components/ui/native-select'
import { SwitchField } from '@/components/ui/switch-field'
import { accountToasts } from '@/lib/accounts/messages'
import { CURRENCIES, TIMEZONES } from '@/lib/accounts/rules'
import type { SettingsInput } from '@/lib/accounts/schema'
import type { UserView } from '@/lib/accounts/view'
import { ApiError, callApi } from '@/lib/client/call-api'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import { UsernamePanel } from './username-panel'

type SettingsDialogProps = { user: UserView; isOpen: boolean; onClose: () => void }

/**
 * Saves each switch and each selection as soon as it is changed, and sets it back to its old value when saving fails.
 * The username has its own form.
 */
export function SettingsDialog({ user, isOpen, onClose }: SettingsDialogProps) {
  const save = useSaveSettings(user)
  const toggle = (name: 'emailNotifications' | 'marketingEmails' | 'analytics' | 'autoRenewDrops') => ({
    checked: user[name],
    onCheckedChange: (isOn: boolean) => save({ [name]: isOn }),
  })
  return (
    <Dialog open={isOpen} onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogSheet title="Settings">
        <div className="grid gap-6">
          <div className="divide-y">
            <SwitchField
              label="Email notifications"
              hint="Sales, ended drops and reminders. We always send receipts and security emails."
              {...toggle('emailNotifications')}
            />
            <SwitchField label="Marketing emails" hint="Occasional product news." {...toggle('marketingEmails')} />
            {user.plan === 'pro' || user.isAdmin ? (
              <SwitchField label="Analytics tracking" hint="Counts visits to your drops." {...toggle('analytics')} />
            ) : null}
            <SwitchField
              label="Auto-renew drops"
              hint="We relaunch your drop 24 hours after it ends, up to twice in a row while it sells. Open editions never come back. The drop page tells buyers when the drop may return. Please say so in your posts, too."
              {...toggle('autoRenewDrops')}
            />
          </div>
          <div className="grid items-start gap-4 md:grid-cols-2">
            <Field>
              <FieldLabel htmlFor="timezone">Time zone</FieldLabel>
              <NativeSelect
                id="timezone"
                value={user.timezone}
                aria-describedby="timezone-hint"
                onChange={(event) => save({ timezone: event.target.value as SettingsInput['timezone'] })}
              >
                {TIMEZONES.map((timezone) => (
                  <option key={timezone} value={timezone}>
                    {timezone.replaceAll('_', ' ')}
                  </option>
                ))}
              </NativeSelect>
              <FieldDescription id="timezone-hint">
                We use your time zone for dates in emails, orders and packing slips.
              </FieldDescription>
            </Field>
            <Field>
              <FieldLabel htmlFor="currency">Currency</FieldLabel>
              <NativeSelect
                id="currency"
                value={user.currency}
                aria-describedby="currency-hint"
                onChange={(event) => save({ currency: event.target.value as SettingsInput['currency'] })}
              >
                {CURRENCIES.map((currency) => (
                  <option key={currency}>{currency}</option>
                ))}
              </NativeSelect>
              <FieldDescription id="currency-hint">
                Saved with your account. For now we show and charge every price in USD.
              </FieldDescription>
            </Field>
          </div>
          <UsernamePanel username={user.username} />
          {user.isAdmin ? null : <PlanSection timezone={user.timezone} />}
          <AccountLinks />
        </div>
      </DialogSheet>
    </Dialog>
  )
}

const accountLinks = [
  ['/account#security', 'Password and two-factor'],
  ['/account#devices', 'Your devices'],
  ['/account/seller', 'Seller details and taxes'],
  ['/account#data', 'Export my data'],
  ['/account#delete', 'Delete my account'],
] as const

function AccountLinks() {
  return (
    <nav aria-label="Account" className="-mx-2 grid border-t pt-2">
      {accountLinks.map(([href, label]) => (
        <Link
          key={href}
          href={href}
          // The sheet is an entry in the browser history. Replacing it lets Back lead to the page and not to a
          // closed sheet.
          replace
          className="flex min-h-12 items-center justify-between rounded-control px-2 font-semibold hover:bg-sunken"
        >
          {label}
          <ChevronRight aria-hidden className="size-5 text-muted" />
        </Link>
      ))}
    </nav>
  )
}

/**
 * Returns a function that shows a change right away and then saves it. The changes are sent one after the other, so
 * that the newest value is stored last. A field whose change fails shows the value that was saved last, unless a newer
 * change of this field is waiting. One toast ends a row of changes, because a later success would replace the message
 * of a failure before anyone could read it.
 */
function useSaveSettings(user: UserView) {
  const queryClient = useQueryClient()
  const earlier = useRef<Promise<void>>(Promise.resolve())
  const newest = useRef(new Map<keyof SettingsInput, SettingsInput>())
  const saved = useRef<Partial<UserView>>({})
  const failures = useRef(new Map<keyof SettingsInput, ToastInput>())
  const show = (change: Partial<UserView>) =>
    queryClient.setQueryData<UserView>(['api', 'auth', 'user'], (now) => (now ? { ...now, ...change } : now))

  async function send(change: SettingsInput): Promise<void> {
    const names = namesOf(change)
    try {
      await callApi<UserView>('PATCH', '/api/user/settings', change)
      Object.assign(saved.current, change)
      for (const name of names) failures.current.delete(name)
    } catch (error) {
      const last = names.filter((name) => newest.current.get(name) === change)
      show(Object.fromEntries(last.map((name) => [name, saved.current[name]])))
      const reason = error instanceof ApiError ? { description: error.text } : {}
      for (const name of last) failures.current.set(name, { ...accountToasts.settingsFailed, ...reason, tone: 'bad' })
    }
    for (const name of names) if (newest.current.get(name) === change) newest.current.delete(name)
    if (newest.current.size > 0) return
    const [failure] = failures.current.values()
    toast(failure ?? accountToasts.settingsUpdated)
    failures.current.clear()
  }

  return (change: SettingsInput) => {
    for (const name of namesOf(change)) {
      if (!newest.current.has(name)) Object.assign(saved.current, { [name]: user[name] })
      newest.current.set(name, change)
    }
    show(change)
    earlier.current = earlier.current.then(() => send(change))
  }
}

const namesOf = (change: SettingsInput) => Object.keys(change) as (keyof SettingsInput)[]
