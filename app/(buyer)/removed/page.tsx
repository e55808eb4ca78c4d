import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { dropTexts } from '@/lib/drops/messages'
import { REMOVED_MARK } from '@/lib/http/removed-drop'

export const metadata: Metadata = { title: dropTexts.notFoundTitle, robots: { index: false } }

// The middleware shows this page, with status 410, in place of a drop that was removed (ADR 0020).
export default async function RemovedDropPage() {
  if (!(await headers()).has(REMOVED_MARK)) notFound()
  return (
    <MessagePage title={dropTexts.notFoundTitle} text={dropTexts.removedText}>
      <Button asChild>
        <HomeLink toDrops>Browse Other Drops</HomeLink>
      </Button>
    </MessagePage>
  )
}
