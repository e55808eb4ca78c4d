import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, permanentRedirect } from 'next/navigation'
import { cache } from 'react'
import { DropScreen } from '@/components/drop-page/drop-screen'
import type { EarlyAccess } from '@/components/drop-page/use-early-access'
import { UnhydratedClock } from '@/components/drop-page/unhydrated-clock'
import { SoldBy } from '@/components/traders/sold-by'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { dropTexts } from '@/lib/drops/messages'
import { findSellerRecord } from '@/lib/drops/queries'
import { canonicalIdentifier, dropPath } from '@/lib/drops/rules'
import { buyerKeyOf } from '@/lib/checkout/choices/count-tap'
import { type DropRow, toDropView } from '@/lib/drops/view'
import { knownBuyerToken } from '@/lib/http/cookies/buyer-cookie'
import { NONCE_HEADER } from '@/lib/http/content-security-policy.mjs'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { paymentsMode } from '@/lib/infra/stripe'
import { isEarlyToken } from '@/lib/kernel/is-early-token.mjs'
import { formatMonth } from '@/lib/kernel/time'
import { reviewTexts } from '@/lib/moderation/messages'
import { readEarlyLink } from '@/lib/checkout/choices/choose-early-link'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'
import { findTrader } from '@/lib/traders/queries'
import { dropJsonLd } from '@/lib/previews/drop-json-ld'
import { dropMetadata, toPreviewedDrop } from '@/lib/previews/drop-metadata'

type Props = {
  params: Promise<{ identifier: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const loadDrop = cache(async (identifier: string) => {
  const row = await findShownDrop(database(), identifier)
  return row && limitToHome({ ...database(), sellerLimit: env().sellerLimit }, row)
})

/** Returns the token of a follower's link from the URL; null for the page that everyone sees. */
function earlyToken({ early }: Awaited<Props['searchParams']>): string | null {
  const [token] = [early].flat()
  return isEarlyToken(token) ? token : null
}

/**
 * Reads the follower's link. A page with such a link is rendered for one visitor and never shared by a cache (ADR
 * 0066).
 */
async function readEarlyAccess(row: DropRow, token: string | null): Promise<EarlyAccess | null> {
  if (token === null) return null
  const buyer = await knownBuyerToken()
  const link = await readEarlyLink(database(), row, { token, buyerKey: buyer && buyerKeyOf(buyer) })
  return link && { token, problem: 'problem' in link ? link.problem : null }
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const row = await loadDrop(safeDecode((await params).identifier))
  if (!row) return { title: dropTexts.notFoundTitle, robots: { index: false } }
  if (row.moderation !== 'allowed') return { title: reviewTexts.publicTitle, robots: { index: false } }
  const metadata = dropMetadata(toPreviewedDrop(row))
  // The URL of a page with a follower's link is secret, so neither other sites nor search engines may get it.
  if (earlyToken(await searchParams) === null) return metadata
  return { ...metadata, referrer: 'same-origin', robots: { index: false } }
}

function toQuery(parameters: Awaited<Props['searchParams']>): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one]))
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : ''
}

/**
 * What the page needs to offer wallets. It is the same for every visitor. With Stripe Tax, only Stripe's page has
 * wallets.
 */
function walletsOf(mode: ReturnType<typeof paymentsMode>): { publishableKey: string | null } | null {
  const { stripePublishableKey: publishableKey, hasStripeTax } = env()
  if (hasStripeTax) return null
  if (mode === 'sandbox') return { publishableKey: null }
  return mode === 'live' && publishableKey ? { publishableKey } : null
}

export default async function DropPage({ params, searchParams }: Props) {
  const identifier = safeDecode((await params).identifier)
  const row = await loadDrop(identifier)
  if (!row) notFound()
  // The redirect keeps the query, which may hold a discount code or say where a visitor came from. When the shared
  // cache serves a stored redirect, it appends the query of the request, too (lib/server/start-shared-cache.mjs).
  if (identifier !== canonicalIdentifier(row)) permanentRedirect(dropPath(row) + toQuery(await searchParams))
  if (row.moderation !== 'allowed') {
    return (
      <MessagePage isForBuyers title={reviewTexts.publicTitle} text={reviewTexts.publicText}>
        <Button asChild>
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
        {/* The page is the same for everyone, so it cannot know its seller. */}
        <p className="w-full text-sm text-muted">
          Is this your drop?{' '}
          <HomeLink className="inline-flex min-h-11 items-center underline underline-offset-4">
            See your dashboard
          </HomeLink>
        </p>
      </MessagePage>
    )
  }
  const drop = toDropView(row)
  const early = await readEarlyAccess(row, earlyToken(await searchParams))
  const [{ sold, since }, trader] = await Promise.all([
    findSellerRecord(database(), row.userId),
    findTrader(database().db, row.userId),
  ])
  return (
    <>
      <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: dropJsonLd(drop) }} />
      <PublicHeader dropId={drop.id} action={{ label: 'Sell your own', href: '/login?mode=signup' }} />
      <DropScreen
        initial={drop}
        seller={{ sold, since: formatMonth(since) }}
        wallets={walletsOf(paymentsMode())}
        early={early}
        soldBy={trader ? <SoldBy trader={trader} username={row.sellerUsername} className="border-t px-4" /> : null}
      />
      <UnhydratedClock nonce={(await headers()).get(NONCE_HEADER) ?? undefined} />
    </>
  )
}
