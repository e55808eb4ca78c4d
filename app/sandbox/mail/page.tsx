import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { LocalTime } from '@/components/drops/local-time'
import { PublicHeader } from '@/components/layout/public-header'
import { Card } from '@/components/ui/card'
import { isMailboxOpen } from '@/lib/http/sandbox'
import { database } from '@/lib/infra/db'
import { listMail } from '@/lib/notifications/queries'

export const metadata: Metadata = { title: 'Sandbox mailbox', robots: { index: false } }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function SandboxMailPage({ searchParams }: Props) {
  if (!isMailboxOpen()) notFound()
  const { to } = await searchParams
  const mails = await listMail(database(), typeof to === 'string' ? to : undefined)
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-2xl gap-4 px-5 pb-20">
        <h1 className="text-3xl font-extrabold">Sandbox mailbox</h1>
        <p className="text-muted">The latest emails this installation would have sent, newest first.</p>
        {mails.length === 0 ? <p>No email yet.</p> : null}
        {mails.map((mail, index) => (
          <Card key={index} className="overflow-hidden">
            <details open={index === 0}>
              <summary className="grid cursor-pointer gap-0.5 p-4">
                <span className="font-bold">{mail.subject}</span>
                <span className="text-sm wrap-anywhere text-muted">
                  to {mail.to} · <LocalTime iso={mail.createdAt.toISOString()} />
                </span>
              </summary>
              {/* The frame allows neither scripts nor the same origin, because an email contains text typed by strangers.
                  Links open outside the frame. */}
              <iframe
                title={mail.subject}
                srcDoc={mail.html.replace('<head>', '<head><base target="_top">')}
                sandbox="allow-top-navigation-by-user-activation"
                className="h-[36rem] w-full border-t bg-white"
              />
            </details>
          </Card>
        ))}
      </main>
    </>
  )
}
