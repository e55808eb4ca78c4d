import type { Metadata } from 'next'
import { ResetComplete } from '@/components/accounts/reset-complete'
import { ResetForm } from '@/components/accounts/reset-form'

// The URL contains the token, so it must not be sent to other sites as a referrer. With `no-referrer` a browser without
// JavaScript would post the form with the origin "null", and the server would refuse it.
export const metadata: Metadata = { title: 'Reset password', robots: { index: false }, referrer: 'same-origin' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function ResetPasswordPage({ searchParams }: Props) {
  const { token, done } = await searchParams
  // A browser without JavaScript is sent here after the password was changed.
  if (done !== undefined) return <ResetComplete />
  return <ResetForm token={typeof token === 'string' ? token : ''} />
}
