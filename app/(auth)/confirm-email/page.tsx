import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ConfirmEmail } from '@/components/accounts/confirm-email'

// The URL contains the token, so no referrer may be sent to the next page.
export const metadata: Metadata = { title: 'Confirm your email', robots: { index: false }, referrer: 'no-referrer' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ConfirmEmailPage({ searchParams }: Props) {
  const { token } = await searchParams
  return (
    <AuthPage
      title="Confirm your email"
      text="Tap below to confirm your email."
      back={{ href: '/', label: 'Back to home' }}
    >
      <ConfirmEmail token={typeof token === 'string' ? token : ''} />
    </AuthPage>
  )
}
