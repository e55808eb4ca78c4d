import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ForgotTabs } from '@/components/accounts/forgot-tabs'
import { accountToasts } from '@/lib/accounts/messages'

export const metadata: Metadata = { title: 'Forgot username or password' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ForgotPasswordPage({ searchParams }: Props) {
  // A browser without JavaScript is sent here after it has sent the form.
  const { sent } = await searchParams
  return (
    <AuthPage
      title="Forgot something?"
      text="We'll email you your username or a link to reset your password."
      back={{ href: '/login', label: 'Back to sign in' }}
    >
      {sent === undefined ? null : (
        <p role="status" className="rounded-control bg-good/8 px-4 py-3 text-good">
          {accountToasts.resetLinkSent.description}
        </p>
      )}
      <ForgotTabs />
    </AuthPage>
  )
}
