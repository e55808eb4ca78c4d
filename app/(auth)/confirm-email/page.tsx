import type { Metadata } from 'next'
import { AuthPage } from '@/components/accounts/auth-page'
import { ConfirmEmail } from '@/components/accounts/confirm-email'

// The URL contains the token, so it must not be sent to other sites as a referrer. With `no-referrer` a browser without
// JavaScript would post the form with the origin "null", and the server would refuse it.
const hidden: Metadata = { robots: { index: false }, referrer: 'same-origin' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

const confirmation = { title: 'Confirm your email', text: 'Tap below to confirm your email.' }
/** The link of an email about a change that the owner may not have made. */
const undo = {
  title: 'Take your account back',
  text: "Tap below if you didn't make the change. We'll sign out every device, keep this email address, and send you a link to choose a new password.",
}

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  return { ...hidden, title: ((await searchParams).for === 'undo' ? undo : confirmation).title }
}

export default async function ConfirmEmailPage({ searchParams }: Props) {
  const { token, for: purpose, done } = await searchParams
  const isUndo = purpose === 'undo'
  const { title, text } = isUndo ? undo : confirmation
  return (
    <AuthPage title={title} text={done === undefined ? text : ''} back={{ href: '/', label: 'Back to home' }}>
      <ConfirmEmail token={typeof token === 'string' ? token : ''} isUndo={isUndo} isDone={done !== undefined} />
    </AuthPage>
  )
}
