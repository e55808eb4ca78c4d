import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import type { ReactNode } from 'react'
import DropNotFound from '@/app/(buyer)/drop/[identifier]/not-found'
import OrderNotFound from '@/app/(buyer)/o/[token]/not-found'
import ProfileNotFound from '@/app/(buyer)/profile/[username]/not-found'
import PageNotFound from '@/app/not-found'
import { AccessDenied } from '@/components/admin/access-denied'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { accountTexts } from '@/lib/accounts/messages'
import { adminTexts } from '@/lib/admin/messages'
import { dropTexts } from '@/lib/drops/messages'
import { currentActor } from '@/lib/http/page'
import { REPLACED_MARK, type Replaced } from '@/lib/http/plain-forms/replaced-page'
import { orderTexts } from '@/lib/orders/messages'

const PAGES: Record<Replaced, { title: string; show: () => ReactNode | Promise<ReactNode> }> = {
  denied: {
    title: adminTexts.deniedTitle,
    show: async () => <AccessDenied isVisitor={(await currentActor()).kind === 'visitor'} />,
  },
  'removed-drop': { title: dropTexts.notFoundTitle, show: () => <RemovedDrop /> },
  'missing-drop': { title: dropTexts.notFoundTitle, show: () => <DropNotFound /> },
  'missing-profile': { title: accountTexts.profileNotFoundTitle, show: () => <ProfileNotFound /> },
  'missing-order': { title: orderTexts.notFoundTitle, show: () => <OrderNotFound /> },
  missing: { title: 'Page Not Found', show: () => <PageNotFound /> },
}

async function markedPage() {
  const mark = (await headers()).get(REPLACED_MARK)
  return Object.entries(PAGES).find(([name]) => name === mark)?.[1]
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: ((await markedPage()) ?? PAGES.missing).title, robots: { index: false } }
}

// The middleware shows this page in place of one that may not be seen, was removed or does not exist (ADR 0020).
export default async function ReplacedPage() {
  const page = await markedPage()
  if (!page) notFound()
  return page.show()
}

function RemovedDrop() {
  return (
    <MessagePage isForBuyers title={dropTexts.notFoundTitle} text={dropTexts.removedText}>
      <Button asChild>
        <HomeLink toDrops>Browse Other Drops</HomeLink>
      </Button>
    </MessagePage>
  )
}
