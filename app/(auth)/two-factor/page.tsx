import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/accounts/auth-page'
import { PasskeySecondStep } from '@/components/accounts/passkey-second-step'
import { SecondStepForm } from '@/components/accounts/second-step-form'
import { getSecondFactors } from '@/lib/accounts/queries'
import { ownPath } from '@/lib/http/own-path'
import { pageContext } from '@/lib/http/page'
import { secondStepCookie } from '@/lib/http/cookies/second-step-cookie'

export const metadata: Metadata = { title: 'Two-factor code', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function TwoFactorPage({ searchParams }: Props) {
  const step = await secondStepCookie.read()
  if (!step) redirect('/login')
  // The password was correct, so the page may reveal which second factors the account has.
  const { hasApp, hasPasskey } = await getSecondFactors(await pageContext(), step.userId)
  const redirectTo = ownPath((await searchParams).redirect)
  return (
    <AuthPage
      title="One more step"
      text={textOf(hasApp, hasPasskey)}
      back={{ href: '/login', label: 'Back to sign in' }}
    >
      {hasPasskey ? <PasskeySecondStep redirectTo={redirectTo} /> : null}
      <SecondStepForm redirectTo={redirectTo} label={hasPasskey && !hasApp ? 'Recovery code' : 'Code'} />
    </AuthPage>
  )
}

function textOf(hasApp: boolean, hasPasskey: boolean): string {
  if (!hasPasskey) return 'Enter the code from your authenticator app, or one of your recovery codes.'
  if (!hasApp) return 'Use your passkey, or enter one of your recovery codes.'
  return 'Use your passkey, or enter a code from your authenticator app or a recovery code.'
}
