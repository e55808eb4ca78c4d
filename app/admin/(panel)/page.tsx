import type { Metadata } from 'next'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminPanel, type AdminTab } from '@/components/admin/admin-panel'
import { Overview } from '@/components/admin/overview'
import { countStats } from '@/lib/admin/count-stats'
import { readOverview } from '@/lib/admin/read-overview'
import { countTroubles } from '@/lib/admin/rules'
import { adminPage } from '@/lib/http/admin-page'
import { findLastPause, readPlatformState } from '@/lib/platform/queries'
import { extendLiveDropsAction } from '../actions'
import { stepUpFor } from '../step-up-for'

export const metadata: Metadata = { title: 'Admin', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Returns a value of the query string, unless it is missing, repeated or longer than the search accepts. */
function oneText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value.length <= 200 ? value : undefined
}

const TABS: AdminTab[] = ['dashboard', 'users', 'drops', 'settings']

export default async function AdminPanelPage({ searchParams }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const [{ tab, q, show, type }, stats, overview, { isActive }, lastPause] = await Promise.all([
    searchParams,
    countStats(page.ctx),
    readOverview(page.ctx),
    readPlatformState(page.ctx),
    findLastPause(page.ctx),
  ])
  return (
    <AdminPanel
      stats={stats}
      isActive={isActive}
      pausedAt={lastPause?.toISOString() ?? null}
      initialTab={TABS.find((name) => name === tab) ?? 'dashboard'}
      filters={{ q: oneText(q), show: oneText(show), type: oneText(type) }}
      troubles={countTroubles(overview)}
      overview={<Overview overview={overview} />}
      onExtendAll={extendLiveDropsAction}
      stepUp={stepUpFor(page.actor)}
    />
  )
}
