'use client'

import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { brand } from '@/lib/kernel/brand'
import { genericFailure } from '@/lib/platform/messages'

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessagePage isForBuyers title="Something went wrong" text={genericFailure}>
      {/* The page that failed may have set no title. */}
      <title>{`Something went wrong – ${brand.name}`}</title>
      {error.digest ? (
        <p className="w-full text-sm text-muted">If you write to us, mention the code {error.digest}.</p>
      ) : null}
      <Button onClick={reset}>Try again</Button>
      <Button asChild variant="outline">
        <HomeLink>Go Home</HomeLink>
      </Button>
    </MessagePage>
  )
}
