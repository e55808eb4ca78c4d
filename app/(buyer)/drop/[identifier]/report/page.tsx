import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ReportForm } from '@/components/drops/report-form'
import { MessagePage } from '@/components/layout/message-page'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { findPublicDrop } from '@/lib/drops/queries'
import { canonicalIdentifier, dropPath } from '@/lib/drops/rules'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { trustTexts } from '@/lib/trust/messages'

export const metadata: Metadata = { title: trustTexts.reportTitle, robots: { index: false } }

type Props = {
  params: Promise<{ identifier: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const problems = new Map([
  ['limit', trustTexts.reportLimit],
  ['input', trustTexts.categoryMissing],
])

export default async function ReportPage({ params, searchParams }: Props) {
  const drop = await findPublicDrop(database(), safeDecode((await params).identifier))
  if (!drop) notFound()
  const { sent, problem } = await searchParams
  if (sent) {
    return (
      <MessagePage title="Reported" text={trustTexts.reportSent}>
        <Button asChild variant="outline">
          <a href={dropPath(drop)}>Back to the drop</a>
        </Button>
      </MessagePage>
    )
  }
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md gap-6 px-5 pt-4 pb-20">
        <div className="grid gap-2">
          <h1 className="text-3xl font-extrabold">{trustTexts.reportTitle}</h1>
          <p className="font-semibold">{drop.title}</p>
          <p className="text-muted">{trustTexts.reportText}</p>
        </div>
        <ReportForm
          identifier={canonicalIdentifier(drop)}
          problem={typeof problem === 'string' ? problems.get(problem) : undefined}
        />
      </main>
    </>
  )
}
