'use client'

import { useQuery } from '@tanstack/react-query'
import { Eye, Package, ShoppingBag, Users } from 'lucide-react'
import { Card } from '@/components/ui/card'
import type { AdminStatsView } from '@/lib/admin/view'
import { callApi } from '@/lib/client/call-api'
import { adminKeys } from './admin-keys'

const cards = [
  { label: 'Total Users', name: 'totalUsers', Icon: Users },
  { label: 'Active Drops', name: 'activeDrops', Icon: Package },
  { label: 'Total Orders', name: 'totalOrders', Icon: ShoppingBag },
  { label: 'Total Views', name: 'totalViews', Icon: Eye },
] as const

const number = new Intl.NumberFormat('en-US')

/** Shows four figures of the platform. A missing figure is shown as 0 (docs/product.md#statistics). */
export function StatCards({ initial }: { initial: AdminStatsView }) {
  const { data } = useQuery({
    queryKey: adminKeys.stats,
    queryFn: () => callApi<AdminStatsView>('GET', '/api/admin/stats'),
    initialData: initial,
  })
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
      {cards.map(({ label, name, Icon }) => (
        <Card key={name} className="grid gap-1 p-4">
          <dt className="flex items-center gap-2 text-sm text-muted">
            <Icon aria-hidden className="size-4" />
            {label}
          </dt>
          <dd className="tabular font-display text-2xl font-bold">{number.format(data[name] ?? 0)}</dd>
        </Card>
      ))}
    </dl>
  )
}
