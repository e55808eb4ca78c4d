import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ReportScreen } from '@/components/drop-page/report-screen'
import { findPublicDrop } from '@/lib/drops/queries'
import { canonicalIdentifier, dropPath } from '@/lib/drops/rules'
import { toDropView } from '@/lib/drops/view'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { trustTexts } from '@/lib/trust/messages'

export const metadata: Metadata = { title: trustTexts.reportTitle, robots: { index: false } }

type Props = {
  params: Promise<{ identifier: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ReportPage({ params, searchParams }: Props) {
  const row = await findPublicDrop(database(), safeDecode((await params).identifier))
  if (!row) notFound()
  return (
    <ReportScreen
      title={trustTexts.reportTitle}
      // The title of a drop in review is withheld.
      subject={toDropView(row).title}
      action={`/api/drop/${canonicalIdentifier(row)}/report`}
      back={{ href: dropPath(row), label: 'Back to the drop' }}
      texts={{ sent: trustTexts.reportSent, categoryMissing: trustTexts.categoryMissing }}
      searchParams={await searchParams}
    />
  )
}
