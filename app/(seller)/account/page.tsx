import type { Metadata } from 'next'
import { ChangePassword } from '@/components/accounts/change-password'
import { DataSection } from '@/components/accounts/data-section'
import { DeleteAccount } from '@/components/accounts/delete-account'
import { DeviceList } from '@/components/accounts/device-list'
import { ResendConfirmation } from '@/components/accounts/resend-confirmation'
import { TwoFactorSection } from '@/components/accounts/two-factor-section'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { Card } from '@/components/ui/card'
import { findPendingEmail, getTwoFactor, listDevices } from '@/lib/accounts/queries'
import { pageContext, requireSeller } from '@/lib/http/page'
import {
  changePasswordAction,
  confirmTwoFactorAction,
  deleteAccountAction,
  endDeviceAction,
  endOtherDevicesAction,
  renewRecoveryCodesAction,
  startTwoFactorAction,
  stepUpAction,
  turnOffTwoFactorAction,
} from './actions'

export const metadata: Metadata = { title: 'Your account', robots: { index: false } }

export default async function AccountPage() {
  const { actor, user } = await requireSeller('/account')
  const ctx = { ...(await pageContext()), actor }
  const [devices, twoFactor, pendingEmail] = await Promise.all([
    listDevices(ctx),
    getTwoFactor(ctx),
    findPendingEmail(ctx),
  ])
  const twoFactorActions = {
    start: startTwoFactorAction,
    confirm: confirmTwoFactorAction,
    turnOff: turnOffTwoFactorAction,
    renewCodes: renewRecoveryCodesAction,
  }
  return (
    <>
      <SellerHeader plan={user.plan} place="account" />
      <main className="mx-auto grid max-w-2xl gap-8 px-5 pb-24">
        <PageTitle>Your account</PageTitle>
        {user.isEmailConfirmed ? null : (
          <Card className="flex flex-wrap items-center justify-between gap-3 p-4">
            <p>
              <strong>{user.email}</strong> isn&apos;t confirmed yet.
            </p>
            <ResendConfirmation />
          </Card>
        )}
        {pendingEmail ? (
          <Card className="p-4">
            Confirm <strong>{pendingEmail}</strong> to be confirmed: follow the link we sent there. Until then{' '}
            {user.email} stays your address.
          </Card>
        ) : null}
        <section id="security" className="grid gap-4">
          <h2 className="text-2xl font-bold">Security</h2>
          <ChangePassword action={changePasswordAction} />
          <TwoFactorSection twoFactor={twoFactor} actions={twoFactorActions} />
        </section>
        <DeviceList devices={devices} onEnd={endDeviceAction} onEndOthers={endOtherDevicesAction} />
        <DataSection />
        {user.isAdmin ? null : (
          <DeleteAccount username={user.username ?? ''} action={deleteAccountAction} stepUp={stepUpAction} />
        )}
      </main>
    </>
  )
}
