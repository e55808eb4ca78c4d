import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthPage } from '@/components/accounts/auth-page'
import { SignupForm } from '@/components/accounts/signup-form'
import type { AccountDraft } from '@/lib/accounts/create-account'
import { currentActor } from '@/lib/http/page'
import { signupDraftCookie } from '@/lib/http/cookies/signup-draft-cookie'

export const metadata: Metadata = { title: 'Sign up' }

/** Returns what the visitor typed. The password is left out, because a draft holds only its hash. */
const toTyped = ({ firstName, lastName, username, email }: AccountDraft) => ({ firstName, lastName, username, email })

export default async function SignupPage() {
  if ((await currentActor()).kind === 'user') redirect('/')
  const draft = await signupDraftCookie.read()
  return (
    <AuthPage
      title="Sign up"
      text="Free to start. Your first drop is a minute away."
      back={{ href: '/', label: 'Back to home' }}
    >
      <SignupForm known={draft ? toTyped(draft) : {}} />
      <p className="text-sm">
        Already have an account?{' '}
        <Link href="/login" className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4">
          Sign in instead
        </Link>
      </p>
    </AuthPage>
  )
}
