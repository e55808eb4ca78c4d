import type { Metadata } from 'next'
import { ResetForm } from '@/components/accounts/reset-form'

// The URL contains the token, so no referrer may be sent to the next page.
export const metadata: Metadata = { title: 'Reset password', robots: { index: false }, referrer: 'no-referrer' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ResetPasswordPage({ searchParams }: Props) {
  const { token } = await searchParams
  return <ResetForm token={typeof token === 'string' ? token : ''} />
}
