import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ForgotTabs } from '@/components/accounts/forgot-tabs'

export const metadata: Metadata = { title: 'Forgot username or password' }

export default function ForgotPasswordPage() {
  return (
    <AuthPage title="Forgot something?" text="We'll email it to you." back={{ href: '/login', label: 'Back to login' }}>
      <ForgotTabs />
    </AuthPage>
  )
}
