import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ReportScreen } from '@/components/drop-page/report-screen'
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

export default async function ReportPage({ params, searchParams }: Props) {
  const drop = await findPublicDrop(database(), safeDecode((await params).identifier))
  if (!drop) notFound()
  return (
    <ReportScreen
      title={trustTexts.reportTitle}
      subject={drop.title}
      action={`/api/drop/${canonicalIdentifier(drop)}/report`}
      back={{ href: dropPath(drop), label: 'Back to the drop' }}
      texts={{ sent: trustTexts.reportSent, categoryMissing: trustTexts.categoryMissing }}
      searchParams={await searchParams}
    />
  )
}
