import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { LiveAnalytics } from '@/components/drops/live-analytics'
import { SuccessTicket } from '@/components/drops/success-ticket'
import { SellerHeader } from '@/components/layout/seller-header'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import { toSellerDropView } from '@/lib/drops/view'
import { requireSeller } from '@/lib/http/page'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { planRules } from '@/lib/plans/rules'
import { toQrSquares } from '@/lib/previews/qr-squares'

export const metadata: Metadata = { title: 'Drop created' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SuccessPage({ searchParams }: Props) {
  const { drop: identifier } = await searchParams
  const here = typeof identifier === 'string' ? `/success?drop=${encodeURIComponent(identifier)}` : '/success'
  const seller = await requireSeller(here)
  const row = typeof identifier === 'string' ? await findPublicDrop(database(), identifier) : null
  if (row && row.userId !== seller.user.id) redirect('/')
  const { hasLiveAnalytics } = planRules(seller.actor)
  const link = row ? env().appUrl + dropPath(row) : null
  return (
    <>
      <SellerHeader plan={seller.user.plan} />
      <SuccessTicket
        drop={row ? toSellerDropView(row) : null}
        named={typeof identifier === 'string' ? identifier : null}
        origin={env().appUrl}
        qr={link ? toQrSquares(link) : null}
        timezone={seller.user.timezone}
      >
        {row && hasLiveAnalytics ? (
          <LiveAnalytics dropId={row.id} heading="Live Analytics" className="rounded-card border bg-surface p-5" />
        ) : null}
      </SuccessTicket>
    </>
  )
}
