import type { Metadata } from 'next'
import { notFound, permanentRedirect } from 'next/navigation'
import { cache } from 'react'
import { HistoryText } from '@/components/drop-page/history-line'
import { RunsList } from '@/components/drop-page/runs-list'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { historyTexts } from '@/lib/drops/history/history-messages'
import { findShownDrop, listRuns } from '@/lib/drops/history/history-queries'
import { dropTexts } from '@/lib/drops/messages'
import { canonicalIdentifier, dropPath } from '@/lib/drops/rules'
import { toDropView } from '@/lib/drops/view'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { reviewTexts } from '@/lib/moderation/messages'

type Props = { params: Promise<{ identifier: string }> }

const loadDrop = cache((identifier: string) => findShownDrop(database(), identifier))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const row = await loadDrop(safeDecode((await params).identifier))
  const title = row?.moderation === 'allowed' ? `Runs of ${row.title}` : dropTexts.notFoundTitle
  return { title, robots: { index: false } }
}

/**
 * Lists the newest runs of a drop, so that visitors can check what the drop page says
 * (docs/product.md#history-of-a-drop).
 */
export default async function RunsPage({ params }: Props) {
  const identifier = safeDecode((await params).identifier)
  const row = await loadDrop(identifier)
  if (!row) notFound()
  if (identifier !== canonicalIdentifier(row)) permanentRedirect(`${dropPath(row)}/runs`)
  if (row.moderation !== 'allowed') {
    return (
      <MessagePage isForBuyers title={reviewTexts.publicTitle} text={reviewTexts.publicText}>
        <Button asChild>
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      </MessagePage>
    )
  }
  const drop = toDropView(row)
  const runs = await listRuns(database(), row.id)
  return (
    <>
      <PublicHeader action={{ label: 'Sell your own', href: '/login?mode=signup' }} />
      <main className="mx-auto grid max-w-2xl gap-6 px-5 pt-4 pb-20">
        <div className="grid gap-3">
          <h1 className="text-3xl font-extrabold">{historyTexts.title}</h1>
          <p dir="auto" className="font-semibold">
            {drop.title}
          </p>
          <p className="text-muted">{historyTexts.intro}</p>
          <p className="tabular text-sm">
            <HistoryText drop={drop} />
          </p>
        </div>
        <RunsList
          runs={runs}
          current={drop.run}
          inCheckout={drop.inCheckout}
          isOver={drop.state === 'ended'}
          isOpenEdition={drop.isOpenEdition}
          serverTime={drop.serverTime}
        />
        <Button asChild variant="outline" className="justify-self-start">
          <a href={dropPath(row)}>Back to the drop</a>
        </Button>
        <BuyerLinks />
      </main>
    </>
  )
}
