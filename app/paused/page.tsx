import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { MessagePage } from '@/components/layout/message-page'
import { Button } from '@/components/ui/button'
import { hasSessionCookie } from '@/lib/http/session'
import { pausedPage } from '@/lib/platform/messages'

export const metadata: Metadata = { title: pausedPage.title, robots: { index: false } }

// While the platform is paused, everyone except administrators sees this page in place of the pages that are closed.
// While the database cannot be reached, administrators see it, too. middleware.ts rewrites the requests with status
// 503.
export default async function PausedPage() {
  if (!(await headers()).has('x-lastcall-paused')) notFound()
  return (
    <MessagePage isForBuyers title={pausedPage.title} text={pausedPage.text}>
      {/* Reloads the page that the visitor requested. */}
      <Button asChild>
        <a href="">{pausedPage.again}</a>
      </Button>
      {hasSessionCookie(await cookies()) ? (
        <Button asChild variant="outline">
          <Link href="/orders" prefetch={false}>
            {pausedPage.yourOrders}
          </Link>
        </Button>
      ) : null}
    </MessagePage>
  )
}
