'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useState, useTransition } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useGuardedAction } from '@/components/accounts/use-guarded-action'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { NativeSelect } from '@/components/ui/native-select'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import { type Category, prohibitedCategories } from '@/lib/moderation/messages'
import { type RejectReviewInput, rejectReviewSchema } from '@/lib/trust/schema'
import type { ReviewView } from '@/lib/trust/view'

type ReviewCardProps = {
  review: ReviewView
  onApprove: ServerAction<{ reviewId: number }>
  onReject: ServerAction<RejectReviewInput>
}

const sourceText: Record<string, string> = { create: 'Held when created', edit: 'Held when edited', report: 'Reported' }
const penaltyText: Record<string, string> = {
  warning: 'The seller gets a warning.',
  suspension: 'The seller is suspended for 30 days.',
  ban: 'The seller is suspended permanently.',
}

/** Shows a drop that waits for a review, why it was flagged, and the buttons to approve or reject it. */
export function ReviewCard({ review, onApprove, onReject }: ReviewCardProps) {
  const [isRejecting, setIsRejecting] = useState(false)
  const [isPending, startTransition] = useTransition()
  const showOutcome = (outcome: { ok: boolean; error?: string }, title: string) =>
    outcome.ok ? toast({ title }) : toast({ title: 'Error', description: outcome.error, tone: 'bad' })
  const approve = () =>
    startTransition(async () => showOutcome(await callAction(onApprove, { reviewId: review.id }), 'Drop approved'))
  const guarded = useGuardedAction(onReject)
  const reject = async (input: RejectReviewInput) => showOutcome(await guarded(input), 'Drop removed')

  return (
    <Card className="grid gap-3 p-4">
      <div className="flex gap-3 max-[16rem]:flex-col">
        {review.imageUrl ? (
          // eslint-disable-next-line @next/next/no-img-element -- our pictures are stored in ready-made widths
          <img src={review.imageUrl} alt="" className="size-20 shrink-0 rounded-control object-cover" />
        ) : null}
        <div className="grid min-w-0 content-start gap-1">
          <a
            href={`/drop/${review.identifier}`}
            className="flex min-h-11 items-center text-lg leading-snug font-bold wrap-anywhere hover:underline lg:min-h-6"
          >
            {review.title}
          </a>
          <p className="text-sm text-muted">
            by{' '}
            <a href={`/admin/users/${review.sellerId}`} className="underline underline-offset-2">
              @{review.sellerUsername ?? review.sellerEmail}
            </a>{' '}
            · {review.strikes} {review.strikes === 1 ? 'strike' : 'strikes'} · <LocalTime iso={review.createdAt} />
          </p>
          <p className="flex flex-wrap gap-1.5">
            <Badge variant={review.source === 'report' ? 'warn' : 'secondary'}>
              {sourceText[review.source] ?? review.source}
            </Badge>
            <Badge variant="destructive">{review.category === 'other' ? 'something else' : review.categoryLabel}</Badge>
          </p>
        </div>
      </div>
      {review.details ? (
        <p className="rounded-control bg-sunken p-3 text-sm whitespace-pre-line">{review.details}</p>
      ) : null}
      <p className="line-clamp-4 text-sm whitespace-pre-line">{review.description}</p>
      {isRejecting ? (
        <RejectForm review={review} onReject={reject} onCancel={() => setIsRejecting(false)} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button isBusy={isPending} onClick={approve}>
            Approve
          </Button>
          <Button variant="outlineDestructive" isBusy={isPending} onClick={() => setIsRejecting(true)}>
            Reject
          </Button>
        </div>
      )}
    </Card>
  )
}

type RejectFormProps = {
  review: ReviewView
  onReject: (input: RejectReviewInput) => Promise<void>
  onCancel: () => void
}

/** Asks which category the drop belongs to, because the scanner or the report may name the wrong one. */
function RejectForm({ review, onReject, onCancel }: RejectFormProps) {
  const known = Object.hasOwn(prohibitedCategories, review.category) ? (review.category as Category) : 'fraud'
  const { control, handleSubmit, formState } = useForm<RejectReviewInput>({
    resolver: zodResolver(rejectReviewSchema),
    defaultValues: { reviewId: review.id, category: known },
  })
  const reject = handleSubmit(onReject)
  return (
    <form onSubmit={(event) => void reject(event)} className="grid gap-3 rounded-control border border-bad/50 p-3">
      <Controller
        control={control}
        name="category"
        render={({ field }) => (
          <NativeSelect {...field} aria-label="Category">
            {Object.entries(prohibitedCategories).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      />
      <p className="text-sm">
        The drop is removed. {penaltyText[review.nextPenalty]} Severe categories ban the seller right away.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="outlineDestructive" isBusy={formState.isSubmitting}>
          Remove and strike
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
