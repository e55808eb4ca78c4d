import type { Metadata } from 'next'
import { SellerCelebrations } from '@/components/dashboard/seller-celebrations'
import { ChangePassword } from '@/components/accounts/change-password'
import { DataSection } from '@/components/accounts/data-section'
import { DeleteAccount } from '@/components/accounts/delete-account'
import { DeviceList } from '@/components/accounts/device-list'
import { PasskeySection } from '@/components/accounts/passkey-section'
import { ResendConfirmation } from '@/components/accounts/resend-confirmation'
import { StepUpProvider } from '@/components/accounts/step-up-provider'
import { TwoFactorSection } from '@/components/accounts/two-factor-section'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmailAddress } from '@/components/ui/email-address'
import { findPendingEmail, getTwoFactor, listDevices, listPasskeys } from '@/lib/accounts/queries'
import { pageContext, requireSeller } from '@/lib/http/page'
import { traderTexts } from '@/lib/traders/messages'
import {
  addPasskeyAction,
  changePasswordAction,
  confirmTwoFactorAction,
  deleteAccountAction,
  endDeviceAction,
  endOtherDevicesAction,
  passkeyStepUpAction,
  removePasskeyAction,
  renamePasskeyAction,
  renewRecoveryCodesAction,
  startPasskeyAction,
  startPasskeyStepUpAction,
  startTwoFactorAction,
  stepUpAction,
  turnOffTwoFactorAction,
} from './actions'

export const metadata: Metadata = { title: 'Your account', robots: { index: false } }

export default async function AccountPage() {
  const { actor, user } = await requireSeller('/account')
  const ctx = { ...(await pageContext()), actor }
  const [devices, twoFactor, passkeys, pendingEmail] = await Promise.all([
    listDevices(ctx),
    getTwoFactor(ctx),
    listPasskeys(ctx),
    findPendingEmail(ctx),
  ])
  const twoFactorActions = {
    start: startTwoFactorAction,
    confirm: confirmTwoFactorAction,
    turnOff: turnOffTwoFactorAction,
    renewCodes: renewRecoveryCodesAction,
  }
  const passkeyActions = {
    start: startPasskeyAction,
    add: addPasskeyAction,
    rename: renamePasskeyAction,
    remove: removePasskeyAction,
  }
  const stepUp = { withCode: stepUpAction, startPasskey: startPasskeyStepUpAction, withPasskey: passkeyStepUpAction }
  return (
    <>
      <SellerHeader plan={user.plan} place="account" />
      <SellerCelebrations className="max-w-2xl" />
      <main className="mx-auto grid max-w-2xl gap-8 px-5 pb-24">
        <PageTitle>Your account</PageTitle>
        {user.isEmailConfirmed ? null : (
          <Card className="flex flex-wrap items-center justify-between gap-3 p-4">
            <p className="wrap-anywhere">
              <strong>
                <EmailAddress>{user.email}</EmailAddress>
              </strong>{' '}
              isn&apos;t confirmed yet.
            </p>
            <ResendConfirmation />
          </Card>
        )}
        {pendingEmail ? (
          <Card className="p-4">
            Open the link we sent to <strong>{pendingEmail}</strong> to confirm it. Until then, your email stays{' '}
            {user.email}.
          </Card>
        ) : null}
        <section id="security" className="grid gap-4">
          <h2 className="text-2xl font-bold">Security</h2>
          <ChangePassword action={changePasswordAction} />
          <StepUpProvider actions={stepUp}>
            <TwoFactorSection twoFactor={twoFactor} actions={twoFactorActions} />
            <PasskeySection passkeys={passkeys} hasTwoFactor={twoFactor.isOn} actions={passkeyActions} />
          </StepUpProvider>
        </section>
        <DeviceList devices={devices} onEnd={endDeviceAction} onEndOthers={endOtherDevicesAction} />
        <section className="grid gap-3">
          <h2 className="text-2xl font-bold">{traderTexts.title}</h2>
          <p className="text-muted">{traderTexts.accountText}</p>
          <Button asChild variant="outline" className="justify-self-start">
            <a href="/account/seller">{traderTexts.open}</a>
          </Button>
        </section>
        <DataSection />
        {user.isAdmin ? null : (
          <DeleteAccount username={user.username ?? ''} action={deleteAccountAction} stepUp={stepUp} />
        )}
      </main>
    </>
  )
}
