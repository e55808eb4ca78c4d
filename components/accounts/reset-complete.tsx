import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { accountToasts } from '@/lib/accounts/messages'
import { AuthPage } from './auth-page'

/** Says that the password was changed, and leads to the login. */
export function ResetComplete() {
  return (
    <AuthPage
      title="Password Reset Complete"
      text={accountToasts.passwordReset.description}
      back={{ href: '/login', label: 'Back to sign in' }}
    >
      <Button asChild size="lg">
        <Link href="/login">Continue to Login</Link>
      </Button>
    </AuthPage>
  )
}
