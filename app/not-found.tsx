import type { Metadata } from 'next'
import { HomeLink } from '@/components/layout/home-link'
import { BackButton } from '@/components/layout/back-button'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'

export const metadata: Metadata = { title: 'Page Not Found' }

export default function NotFound() {
  return (
    <MessagePage isForBuyers title="Page Not Found" text="This page does not exist or has moved.">
      <BackButton />
      <Button asChild>
        <HomeLink>Go Home</HomeLink>
      </Button>
    </MessagePage>
  )
}
