import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ForgotTabs } from '@/components/accounts/forgot-tabs'

export const metadata: Metadata = { title: 'Forgot username or password' }

export default function ForgotPasswordPage() {
  return (
    <AuthPage
      title="Forgot something?"
      text="We'll email you your username or a link to reset your password."
      back={{ href: '/login', label: 'Back to sign in' }}
    >
      <ForgotTabs />
    </AuthPage>
  )
}
