'use client'

import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { brand } from '@/lib/kernel/brand'
import { genericFailure } from '@/lib/platform/messages'
import './globals.css'

/**
 * Next shows this page when the layout itself failed, so it renders its own document. Only a full page load leaves this
 * state.
 */
export default function GlobalError() {
  return (
    <html lang="en">
      <head>
        <title>{`Something went wrong – ${brand.name}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </head>
      <body className="antialiased">
        <MessagePage title="Something went wrong" text={genericFailure}>
          <Button onClick={() => window.location.reload()}>Try again</Button>
          <Button asChild variant="outline">
            <HomeLink>Go Home</HomeLink>
          </Button>
          <a href="/find-order#help" className="inline-flex min-h-11 items-center px-2 underline underline-offset-2">
            Help
          </a>
        </MessagePage>
      </body>
    </html>
  )
}
