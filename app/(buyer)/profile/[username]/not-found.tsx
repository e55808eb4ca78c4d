import type { Metadata } from 'next'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { accountTexts } from '@/lib/accounts/messages'

export const metadata: Metadata = { title: accountTexts.profileNotFoundTitle }

export default function ProfileNotFound() {
  return (
    <MessagePage isForBuyers title={accountTexts.profileNotFoundTitle} text={accountTexts.profileNotFound}>
      <Button asChild>
        <HomeLink>Go Home</HomeLink>
      </Button>
    </MessagePage>
  )
}
