import type { Metadata } from 'next'
import { notFound, permanentRedirect } from 'next/navigation'
import { cache } from 'react'
import { DropScreen } from '@/components/drops/drop-screen'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { dropTexts } from '@/lib/drops/messages'
import { findPublicDrop, findSellerRecord } from '@/lib/drops/queries'
import { canonicalIdentifier, dropPath } from '@/lib/drops/rules'
import { toDropView } from '@/lib/drops/view'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { formatMonth } from '@/lib/kernel/time'
import { reviewTexts } from '@/lib/moderation/messages'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { dropMetadata } from '@/lib/previews/drop-metadata'

type Props = {
  params: Promise<{ identifier: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const loadDrop = cache((identifier: string) => findPublicDrop(database(), identifier))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const row = await loadDrop(safeDecode((await params).identifier))
  if (!row) return { title: dropTexts.notFoundTitle, robots: { index: false } }
  if (row.moderation !== 'allowed') return { title: reviewTexts.publicTitle, robots: { index: false } }
  return dropMetadata(toDropView(row))
}

function toQuery(parameters: Awaited<Props['searchParams']>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]))
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''
}

export default async function DropPage({ params, searchParams }: Props) {
  const identifier = safeDecode((await params).identifier)
  const row = await loadDrop(identifier)
  if (!row) notFound()
  // The query holds a discount code, or where a visitor came from. The shared cache adds it by itself (lib/server).
  if (identifier !== canonicalIdentifier(row)) permanentRedirect(dropPath(row) + toQuery(await searchParams))
  if (row.moderation !== 'allowed') {
    return (
      <MessagePage title={reviewTexts.publicTitle} text={reviewTexts.publicText}>
        <Button asChild>
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      </MessagePage>
    )
  }
  const drop = toDropView(row)
  const { sold, since } = await findSellerRecord(database(), row.userId)
  return (
    <>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: dropJsonLd(drop) }} />
      <PublicHeader action={{ label: 'Sell your own', href: '/login' }} />
      <DropScreen initial={drop} seller={{ sold, since: formatMonth(since) }} />
    </>
  )
}
