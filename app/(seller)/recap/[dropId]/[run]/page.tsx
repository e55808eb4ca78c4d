import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SellerHeader } from '@/components/layout/seller-header'
import { Recap } from '@/components/payouts/recap'
import { pageContext, requireSeller } from '@/lib/http/page'
import { database } from '@/lib/infra/db'
import { getRecap } from '@/lib/payouts/get-recap'
import { getPayoutSummary } from '@/lib/payouts/queries'

export const metadata: Metadata = { title: 'Recap' }

type Props = { params: Promise<{ dropId: string; run: string }> }

/** A positive whole number that fits into an integer column of Postgres. */
const NUMBER = /^[1-9]\d{0,8}$/

/** Shows the seller how one run of a drop went. The email about the end of the run links to this page. */
export default async function RecapPage({ params }: Props) {
  const { dropId, run } = await params
  if (!NUMBER.test(dropId) || !NUMBER.test(run)) notFound()
  const { actor, user } = await requireSeller(`/recap/${dropId}/${run}`)
  const recap = await getRecap(database(), { sellerId: actor.userId, dropId: Number(dropId), run: Number(run) })
  if (!recap) notFound()
  const { clock } = await pageContext()
  const { state } = await getPayoutSummary(database(), actor.userId)
  return (
    <>
      <SellerHeader plan={user.plan} place="today" isInside />
      <Recap recap={recap} plan={user.plan} timezone={user.timezone} payoutsState={state} now={clock.now()} />
    </>
  )
}
