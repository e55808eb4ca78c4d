import type { Metadata } from 'next'
import { notFound, permanentRedirect } from 'next/navigation'
import { cache } from 'react'
import { EditionList } from '@/components/drop-page/edition-list'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { editionTexts } from '@/lib/drops/editions/edition-messages'
import { listEditionRuns } from '@/lib/drops/editions/edition-queries'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { dropTexts } from '@/lib/drops/messages'
import { findPublicDrop } from '@/lib/drops/queries'
import { canonicalIdentifier, dropPath } from '@/lib/drops/rules'
import { toDropView } from '@/lib/drops/view'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { reviewTexts } from '@/lib/moderation/messages'

type Props = { params: Promise<{ identifier: string }> }

const loadDrop = cache((identifier: string) => findPublicDrop(database(), identifier))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const row = await loadDrop(safeDecode((await params).identifier))
  const title = row?.moderation === 'allowed' ? `${editionTexts.title}: ${row.title}` : dropTexts.notFoundTitle
  return { title, robots: { index: false } }
}

/**
 * Lists the numbers given in each of the newest runs of a drop, without naming buyers
 * (docs/product.md#numbered-editions).
 */
export default async function EditionPage({ params }: Props) {
  const identifier = safeDecode((await params).identifier)
  const row = await loadDrop(identifier)
  if (!row) notFound()
  if (identifier !== canonicalIdentifier(row)) permanentRedirect(`${dropPath(row)}/edition`)
  const isShown = row.moderation === 'allowed'
  if (!isShown || !row.isNumbered) {
    const { title, text } = isShown
      ? { title: editionTexts.title, text: editionTexts.notNumbered }
      : { title: reviewTexts.publicTitle, text: reviewTexts.publicText }
    return (
      <MessagePage isForBuyers title={title} text={text}>
        <Button asChild>
          {isShown ? <a href={dropPath(row)}>Back to the drop</a> : <HomeLink toDrops>Browse Other Drops</HomeLink>}
        </Button>
      </MessagePage>
    )
  }
  const drop = toDropView(row)
  return (
    <>
      <PublicHeader action={{ label: 'Sell your own', href: '/login?mode=signup' }} />
      <main className="mx-auto grid max-w-2xl gap-6 px-5 pt-4 pb-20">
        <div className="grid gap-3">
          <h1 className="text-3xl font-extrabold">{editionTexts.title}</h1>
          <p dir="auto" className="font-semibold">
            {drop.title}
          </p>
          <p className="text-muted">{drop.isOpenEdition ? openTexts.editionIntro : editionTexts.intro}</p>
        </div>
        <EditionList runs={await listEditionRuns(database(), row.id)} isOpenEdition={drop.isOpenEdition} />
        <Button asChild variant="outline" className="justify-self-start">
          <a href={dropPath(row)}>Back to the drop</a>
        </Button>
        <BuyerLinks />
      </main>
    </>
  )
}
