import type { Metadata } from 'next'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { dropTexts } from '@/lib/drops/messages'

export const metadata: Metadata = { title: dropTexts.notFoundTitle }

export default function DropNotFound() {
  return (
    <MessagePage isForBuyers title={dropTexts.notFoundTitle} text={dropTexts.notFoundText}>
      <Button asChild>
        <HomeLink toDrops>Browse Other Drops</HomeLink>
      </Button>
    </MessagePage>
  )
}
