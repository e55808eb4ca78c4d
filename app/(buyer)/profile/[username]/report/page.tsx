import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { ReportScreen } from '@/components/drop-page/report-screen'
import { findProfileUser } from '@/lib/accounts/queries'
import { profilePath } from '@/lib/accounts/rules'
import { safeDecode } from '@/lib/http/safe-decode'
import { database } from '@/lib/infra/db'
import { trustTexts } from '@/lib/trust/messages'

export const metadata: Metadata = { title: trustTexts.reportProfileTitle, robots: { index: false } }

type Props = {
  params: Promise<{ username: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ReportProfilePage({ params, searchParams }: Props) {
  const user = await findProfileUser(database(), safeDecode((await params).username))
  if (!user) notFound()
  return (
    <ReportScreen
      title={trustTexts.reportProfileTitle}
      subject={`@${user.username}`}
      action={`/api/profile/report/${user.username}`}
      back={{ href: profilePath(user.username), label: 'Back to the profile' }}
      texts={{ sent: trustTexts.profileReportSent, categoryMissing: trustTexts.profileCategoryMissing }}
      searchParams={await searchParams}
    />
  )
}
