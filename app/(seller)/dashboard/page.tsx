import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { AccountButtons } from '@/components/accounts/account-buttons'
import { SuspensionNotice } from '@/components/accounts/suspension-notice'
import { Dashboard } from '@/components/dashboard/dashboard'
import { Landing } from '@/components/landing/landing'
import { SellerHeader } from '@/components/layout/seller-header'
import { UpgradeHost } from '@/components/plans/upgrade-host'
import { listSellerDrops } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import { toSellerDropView } from '@/lib/drops/view'
import { countFollowers } from '@/lib/followers/queries'
import { HOME_MARK } from '@/lib/http/cookies/home-mark'
import { landingDrops } from '@/lib/http/landing-drops'
import { currentSeller, pageContext } from '@/lib/http/page'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { listSellerTasks } from '@/lib/orders/list-seller-tasks'
import { getMoneyLine } from '@/lib/payouts/queries'
import { planRules } from '@/lib/plans/rules'
import { toQrSquares } from '@/lib/previews/qr-squares'
import { findTraderNotice } from '@/lib/traders/queries'
import { findSuspension } from '@/lib/trust/queries'

export const metadata: Metadata = { alternates: { canonical: '/' } }

// The dashboard has the same URL as the landing page: middleware.ts rewrites "/" to this page for requests with a
// session cookie. When that session has ended, the visitor sees the landing page.
export default async function DashboardPage() {
  if (!(await headers()).has(HOME_MARK)) notFound()
  const seller = await currentSeller()
  if (seller?.actor.isAdmin) redirect('/admin')
  if (!seller) return <Landing drops={await landingDrops()} />
  const ctx = await pageContext()
  const { db, clock } = ctx
  const { userId } = seller.actor
  const suspension = seller.actor.isSuspended ? await findSuspension(db, userId, clock.now()) : null
  const { timezone } = seller.user
  const [rows, tasks, money, followers, notice] = await Promise.all([
    listSellerDrops(database(), userId),
    listSellerTasks(database(), userId, timezone),
    getMoneyLine(database(), userId, timezone),
    countFollowers(database(), userId),
    findTraderNotice(ctx, userId),
  ])
  const drops = rows.map(toSellerDropView)
  const shared = drops.filter(({ state }) => ['upcoming', 'live', 'soldOut'].includes(state))
  const { activeDrops, hasLiveAnalytics } = planRules(seller.actor)
  return (
    <>
      <SellerHeader plan={seller.user.plan} place="today">
        <AccountButtons user={seller.user} />
      </SellerHeader>
      {suspension ? <SuspensionNotice suspension={suspension} /> : null}
      <Dashboard
        username={seller.user.username}
        firstName={seller.user.firstName}
        plan={seller.user.plan}
        isSuspended={seller.actor.isSuspended}
        timezone={seller.user.timezone}
        hasAnalytics={hasLiveAnalytics}
        initialDrops={drops}
        activeLimit={Number.isFinite(activeDrops) ? activeDrops : null}
        tasks={tasks}
        money={money}
        notice={notice}
        followers={followers}
        qrCodes={Object.fromEntries(shared.map((drop) => [drop.id, toQrSquares(env().appUrl + dropPath(drop))]))}
        renderedAt={clock.now().toISOString()}
      />
      <UpgradeHost />
    </>
  )
}
