import type { Metadata } from 'next'
import { StepUpProvider } from '@/components/accounts/step-up-provider'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { AppealCard } from '@/components/admin/appeal-card'
import { ProfileReportCard } from '@/components/admin/profile-report-card'
import { ReviewCard } from '@/components/admin/review-card'
import { adminPage } from '@/lib/http/admin-page'
import { listOpenAppeals, listOpenReviews, listReportedProfiles } from '@/lib/trust/queries'
import { toReviewView } from '@/lib/trust/view'
import {
  approveReviewAction,
  clearProfileAction,
  decideAppealAction,
  keepProfileAction,
  rejectReviewAction,
} from '../actions'
import { stepUpFor } from '../step-up-for'

export const metadata: Metadata = { title: 'Review queue', robots: { index: false } }

const MAX_SHOWN = 50

export default async function ReviewsPage() {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const [reviews, profiles, appeals] = await Promise.all([
    listOpenReviews(page.ctx, MAX_SHOWN),
    listReportedProfiles(page.ctx.db),
    listOpenAppeals(page.ctx.db),
  ])
  return (
    <AdminLayout
      title="Review queue"
      text="These drops were stopped by the scanner or reported by visitors. Reported profiles and appeals are below. Severe violations come first, then the oldest."
    >
      <StepUpProvider actions={stepUpFor(page.actor)}>
        <section aria-labelledby="reviews" className="grid gap-3">
          <h2 id="reviews" className="text-xl font-bold">
            Drops
          </h2>
          {reviews.length === 0 ? <p className="text-muted">Nothing to review.</p> : null}
          <div className="grid gap-3 lg:grid-cols-2 lg:items-start">
            {reviews.map((row) => (
              <ReviewCard
                key={row.id}
                review={toReviewView(row)}
                onApprove={approveReviewAction}
                onReject={rejectReviewAction}
              />
            ))}
          </div>
        </section>
        <section aria-labelledby="profiles" className="grid gap-3">
          <h2 id="profiles" className="text-xl font-bold">
            Profiles
          </h2>
          {profiles.length === 0 ? <p className="text-muted">No reported profiles.</p> : null}
          <div className="grid gap-3 lg:grid-cols-2 lg:items-start">
            {profiles.map((profile) => (
              <ProfileReportCard
                key={profile.userId}
                profile={profile}
                onKeep={keepProfileAction}
                onClear={clearProfileAction}
              />
            ))}
          </div>
        </section>
        <section aria-labelledby="appeals" className="grid gap-3">
          <h2 id="appeals" className="text-xl font-bold">
            Appeals
          </h2>
          {appeals.length === 0 ? <p className="text-muted">No open appeals.</p> : null}
          <div className="grid gap-3 lg:grid-cols-2 lg:items-start">
            {appeals.map((appeal) => (
              <AppealCard key={appeal.id} appeal={appeal} onDecide={decideAppealAction} />
            ))}
          </div>
        </section>
      </StepUpProvider>
    </AdminLayout>
  )
}
