import { ArrowLeft } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AuthCard } from '@/components/accounts/auth-card'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ownPath } from '@/lib/http/own-path'
import { currentActor } from '@/lib/http/page'

export const metadata: Metadata = { title: 'Sign in' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function LoginPage({ searchParams }: Props) {
  const { redirect: target, mode } = await searchParams
  const redirectTo = ownPath(target)
  if ((await currentActor()).kind === 'user') redirect(redirectTo)
  return (
    <main className="grid gap-6">
      <Button asChild variant="ghost" className="-ms-3 justify-self-start">
        <Link href="/">
          <ArrowLeft aria-hidden />
          Back to Home
        </Link>
      </Button>
      <Card className="p-6 md:p-8">
        <AuthCard redirectTo={redirectTo} startsAs={mode === 'signup' ? 'signup' : 'login'} />
      </Card>
    </main>
  )
}
