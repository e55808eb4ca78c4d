import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ForgotUsername } from '@/components/accounts/forgot-username'

export const metadata: Metadata = { title: 'Forgot username' }

export default function ForgotUsernamePage() {
  return (
    <AuthPage
      title="Forgot username"
      text="We'll email you your username."
      back={{ href: '/login', label: 'Back to sign in' }}
    >
      <ForgotUsername />
    </AuthPage>
  )
}
