import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ForgotUsername } from '@/components/accounts/forgot-username'

export const metadata: Metadata = { title: 'Forgot username' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ForgotUsernamePage({ searchParams }: Props) {
  // A browser without JavaScript is sent here after it has sent the form.
  const { sent } = await searchParams
  return (
    <AuthPage
      title="Forgot username"
      text="We'll email you your username."
      back={{ href: '/login', label: 'Back to sign in' }}
    >
      <ForgotUsername isSentBefore={sent !== undefined} />
    </AuthPage>
  )
}
