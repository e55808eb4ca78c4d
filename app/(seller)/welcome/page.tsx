import type { Metadata } from 'next'
import { Welcome } from '@/components/accounts/welcome'
import { SellerHeader } from '@/components/layout/seller-header'
import { listSellerDrops } from '@/lib/drops/queries'
import { pageContext, requireSeller } from '@/lib/http/page'
import { getUser } from '@/lib/accounts/queries'
import { database } from '@/lib/infra/db'

export const metadata: Metadata = { title: 'Welcome' }

export default async function WelcomePage() {
  const { actor, user } = await requireSeller('/welcome')
  const { db } = await pageContext()
  const [drops, account] = await Promise.all([listSellerDrops(database(), actor.userId), getUser(db, actor.userId)])
  return (
    <>
      <SellerHeader plan={user.plan} />
      <Welcome
        firstName={user.firstName}
        done={{
          email: user.isEmailConfirmed,
          drop: drops.length > 0,
          payouts: account.payoutsReadyAt !== null,
          pro: account.planIntent === 'pro' ? user.plan === 'pro' : null,
        }}
      />
    </>
  )
}
