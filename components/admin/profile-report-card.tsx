'use client'

import { useTransition } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { accountName } from '@/lib/accounts/messages'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import type { ClearProfileInput, KeepProfileInput } from '@/lib/trust/schema'
import type { ReportedProfileView } from '@/lib/trust/view'
import { ClearProfileForm } from './clear-profile-form'
import { ProfileWords } from './profile-words'

type ProfileReportCardProps = {
  profile: ReportedProfileView
  onKeep: ServerAction<KeepProfileInput>
  onClear: ServerAction<ClearProfileInput>
}

/** Shows a reported profile, what is written on it and what its visitors reported, and asks for a decision. */
export function ProfileReportCard({ profile, onKeep, onClear }: ProfileReportCardProps) {
  const { userId, username, email, about, links, reports } = profile
  const [isPending, startTransition] = useTransition()
  const lastReportId = Math.max(...reports.map(({ id }) => id))
  const keep = () =>
    startTransition(async () => {
      const outcome = await callAction(onKeep, { userId, lastReportId })
      if (outcome.ok) toast({ title: 'Profile kept' })
      else toast({ title: "Couldn't keep the profile", description: outcome.error, tone: 'bad' })
    })
  return (
    <Card role="article" aria-label={accountName(username, email)} className="grid gap-3 p-4">
      <p className="text-sm text-muted">
        <a
          href={`/admin/users/${userId}`}
          className="inline-flex min-h-11 items-center text-lg font-bold text-ink hover:underline lg:min-h-6"
        >
          {accountName(username, email)}
        </a>
      </p>
      <ProfileWords about={about} links={links} />
      <ul className="grid gap-2">
        {reports.map((report) => (
          <li key={report.id} className="grid gap-1.5 rounded-control bg-sunken p-3 text-sm">
            <span className="flex flex-wrap items-center gap-1.5 text-muted">
              <Badge variant="destructive">{report.categoryLabel}</Badge>
              <LocalTime iso={report.createdAt} />
            </span>
            {report.details ? <span className="whitespace-pre-line">{report.details}</span> : null}
          </li>
        ))}
      </ul>
      <Button isBusy={isPending} onClick={keep} className="justify-self-start">
        Keep the profile
      </Button>
      {about || links.length > 0 ? <ClearProfileForm userId={userId} onClear={onClear} /> : null}
    </Card>
  )
}
