import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/accounts/auth-page'
import { SecondStepForm } from '@/components/accounts/second-step-form'
import { ownPath } from '@/lib/http/own-path'
import { secondStepCookie } from '@/lib/http/second-step-cookie'

export const metadata: Metadata = { title: 'Two-factor code', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function TwoFactorPage({ searchParams }: Props) {
  if (!(await secondStepCookie.read())) redirect('/login')
  return (
    <AuthPage
      title="One more step"
      text="Enter the code from your authenticator app, or one of your recovery codes."
      back={{ href: '/login', label: 'Back to login' }}
    >
      <SecondStepForm redirectTo={ownPath((await searchParams).redirect)} />
    </AuthPage>
  )
}
