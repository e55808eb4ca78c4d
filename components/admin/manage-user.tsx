'use client'

import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { EmailAddress } from '@/components/ui/email-address'
import { SwitchField } from '@/components/ui/switch-field'
import { accountName } from '@/lib/accounts/messages'
import { adminToasts } from '@/lib/admin/messages'
import type { AdminUserView } from '@/lib/admin/view'
import { planLabel } from '@/lib/plans/rules'
import { DebtPayment } from './debt-payment'
import { PaidOutNote } from './paid-out-note'
import { PayoutHold } from './payout-hold'
import { PlainDate } from './plain-date'
import { SecondPress } from './second-press'
import { Suspension } from './suspension'
import { useAdminChange } from './use-admin-change'

/**
 * Shows what an administrator can change about an account: its plan and its badge. Of an account that is not an
 * administrator's, payouts can be stopped, a repayment can be recorded, and it can be suspended or deleted. Of a
 * deleted account, only payouts can be stopped and released, and a repayment recorded (docs/product.md#users-tab).
 */
export function ManageUser({ user, onClose }: { user: AdminUserView; onClose: () => void }) {
  const change = useAdminChange()
  const texts = { done: adminToasts.userUpdated, failed: adminToasts.userFailed }
  const patch: Patch = (body) =>
    change.mutateAsync({ method: 'PATCH', path: `/api/admin/users/${user.id}`, body, ...texts })
  const close = (work: Promise<unknown>) => void work.then(onClose, () => undefined)
  const closing = (body: object) => close(patch(body))
  const remove = () =>
    close(
      change.mutateAsync({
        method: 'DELETE',
        path: `/api/admin/users/${user.id}`,
        done: adminToasts.userDeleted,
        failed: adminToasts.userDeleteFailed,
      }),
    )

  return (
    <Dialog open onOpenChange={(isOpen) => (isOpen ? undefined : onClose())}>
      <DialogSheet title="Manage User">
        <div className="grid gap-5 pb-2">
          <dl className="grid grid-cols-[8rem_1fr] gap-x-4 gap-y-2 text-sm">
            {user.username ? <Fact label="Username">@{user.username}</Fact> : null}
            <Fact label="Email">
              <EmailAddress>{user.email}</EmailAddress>
            </Fact>
            <Fact label="Current Plan">{planLabel[user.plan]}</Fact>
            <Fact label="Member Since">
              <PlainDate iso={user.createdAt} />
            </Fact>
          </dl>
          {user.isDeleted ? (
            <p className="text-sm">
              This account was deleted. You can only hold and release its payouts, and record a repayment.
            </p>
          ) : (
            <PlanAndBadge user={user} isBusy={change.isPending} patch={patch} onChange={closing} />
          )}
          {user.isAdmin ? null : <DebtPayment userId={user.id} />}
          {user.isAdmin ? null : <PayoutHold user={user} isBusy={change.isPending} onChange={closing} />}
          {user.isAdmin || user.isDeleted ? null : (
            <>
              <Suspension user={user} isBusy={change.isPending} onChange={closing} />
              <SecondPress
                label="Delete User Account"
                question="This closes the account permanently. Drops end, personal data is removed, and order records are kept. Paid orders that were never sent or done are refunded. Payouts on hold stay on hold until you release them."
                confirmLabel={`Delete ${accountName(user.username, user.email)}`}
                isBusy={change.isPending}
                onConfirm={remove}
              >
                <PaidOutNote userId={user.id} />
              </SecondPress>
            </>
          )}
        </div>
      </DialogSheet>
    </Dialog>
  )
}

type Patch = (body: object) => Promise<unknown>

type PlanAndBadgeProps = { user: AdminUserView; isBusy: boolean; patch: Patch; onChange: (body: object) => void }

function PlanAndBadge({ user, isBusy, patch, onChange }: PlanAndBadgeProps) {
  const [isVerified, setIsVerified] = useState(user.isVerified)
  const isPro = user.plan === 'pro'
  const verify = (isOn: boolean) => {
    setIsVerified(isOn)
    patch({ isVerified: isOn }).catch(() => setIsVerified(!isOn))
  }
  return (
    <>
      <Button disabled={isBusy} onClick={() => onChange({ plan: isPro ? 'free' : 'pro' })}>
        {isPro ? 'Downgrade to Free' : 'Upgrade to Pro'}
      </Button>
      <SwitchField
        label="Verified"
        hint="A badge next to the seller's name."
        checked={isVerified}
        onCheckedChange={verify}
        disabled={isBusy}
      />
      <Button asChild variant="outline">
        {/* The link replaces the dialog in the browser history. Otherwise Back would lead to the closed dialog. */}
        <Link href={`/admin/users/${user.id}`} replace>
          View as this seller
        </Link>
      </Button>
    </>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 font-semibold wrap-anywhere">{children}</dd>
    </>
  )
}
