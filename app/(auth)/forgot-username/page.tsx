import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ForgotUsername } from '@/components/accounts/forgot-username'

export const metadata: Metadata = { title: 'Forgot username' }

export default function ForgotUsernamePage() {
  return (
    <AuthPage title="Forgot username" text="We'll email it to you." back={{ href: '/login', label: 'Back to login' }}>
      <ForgotUsername />
    </AuthPage>
  )
}
