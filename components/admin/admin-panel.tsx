'use client'

import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs'
import type { AdminStatsView } from '@/lib/admin/view'
import { AdminHeader } from './admin-header'
import { DropsTab } from './drops-tab'
import type { ExtendAllAction } from './extend-all'
import { SettingsTab } from './settings-tab'
import { StatCards } from './stat-cards'
import type { StepUpActions } from '@/components/accounts/step-up-form'
import { StepUpProvider } from '@/components/accounts/step-up-provider'
import { UsersTab } from './users-tab'
import type { TabFilters } from './use-address-filters'

const tabs = [
  ['dashboard', 'Dashboard'],
  ['users', 'Users'],
  ['drops', 'Drops'],
  ['settings', 'Settings'],
] as const

export type AdminTab = (typeof tabs)[number][0]

type AdminPanelProps = {
  stats: AdminStatsView
  isActive: boolean
  pausedAt: string | null
  initialTab: AdminTab
  /** The search and the filters in the URL, for the tab that opens first. */
  filters: TabFilters
  /** How many things need an administrator's attention. */
  troubles: number
  overview: ReactNode
  onExtendAll: ExtendAllAction
  stepUp: StepUpActions
}

/** The admin panel. It is at most 28rem wide below 768 px, and dense on a desktop (docs/product.md#admin-panel). */
export function AdminPanel({
  stats,
  isActive,
  pausedAt,
  initialTab,
  overview,
  onExtendAll,
  stepUp,
  ...props
}: AdminPanelProps) {
  const [filters, setFilters] = useState(props.filters)
  // The browser looks for the element that the URL names before the panel is shown, so the panel scrolls to it.
  useEffect(() => {
    if (window.location.hash === '#health') document.getElementById('health')?.scrollIntoView()
  }, [])
  // The URL names the open tab, so that a reload or a shared link opens the same one.
  const remember = (tab: string) => {
    setFilters({})
    window.history.replaceState(null, '', tab === 'dashboard' ? '/admin' : `/admin?tab=${tab}`)
  }
  return (
    <StepUpProvider actions={stepUp}>
      <main className="mx-auto grid max-w-[28rem] gap-5 px-4 pb-20 md:max-w-3xl lg:max-w-6xl">
        <AdminHeader troubles={props.troubles} />
        <StatCards initial={stats} />
        <Button asChild variant="outline" className="md:justify-self-start">
          <a href="/create-drop">
            <Plus aria-hidden />
            Create Drop
          </a>
        </Button>
        <Tabs defaultValue={initialTab} onValueChange={remember} className="grid gap-4">
          <TabsList aria-label="Sections of the panel">
            {tabs.map(([value, label]) => (
              <TabsTrigger key={value} value={value} className="px-1">
                {label}
              </TabsTrigger>
            ))}
          </TabsList>
          <TabsContent value="dashboard">{overview}</TabsContent>
          <TabsContent value="users">
            <UsersTab initial={filters} />
          </TabsContent>
          <TabsContent value="drops">
            <DropsTab initial={filters} />
          </TabsContent>
          <TabsContent value="settings">
            <SettingsTab initial={{ isActive }} pausedAt={pausedAt} onExtendAll={onExtendAll} />
          </TabsContent>
        </Tabs>
      </main>
    </StepUpProvider>
  )
}
