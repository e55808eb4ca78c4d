import type { Metadata } from 'next'
import Link from 'next/link'
import { redirect } from 'next/navigation'
import { AppealForm } from '@/components/accounts/appeal-form'
import { SuspensionFacts } from '@/components/accounts/suspension-notice'
import { SellerHeader } from '@/components/layout/seller-header'
import { Button } from '@/components/ui/button'
import { pageContext, requireSeller } from '@/lib/http/page'
import { trustTexts } from '@/lib/trust/messages'
import { findSuspension } from '@/lib/trust/queries'
import { submitAppealAction } from './actions'

export const metadata: Metadata = { title: trustTexts.appealTitle, robots: { index: false } }

export default async function AppealPage() {
  const { actor, user } = await requireSeller('/appeal')
  const { db, clock } = await pageContext()
  const suspension = await findSuspension(db, actor.userId, clock.now())
  if (!suspension) redirect('/')
  return (
    <>
      <SellerHeader plan={user.plan} />
      <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-20">
        <h1 className="text-3xl font-extrabold">{trustTexts.appealTitle}</h1>
        <SuspensionFacts suspension={suspension} />
        {suspension.hasOpenAppeal ? (
          <>
            <p role="status">{trustTexts.appealSent}</p>
            <Button asChild variant="outline" className="justify-self-start">
              <Link href="/" prefetch={false}>
                Go to your dashboard
              </Link>
            </Button>
          </>
        ) : (
          <AppealForm onSend={submitAppealAction} />
        )}
      </main>
    </>
  )
}
