'use client'

import { useState, useTransition } from 'react'
import { useGuardedAction } from '@/components/accounts/use-guarded-action'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { accountName } from '@/lib/accounts/messages'
import { callAction } from '@/lib/client/call-action'
import { toast } from '@/lib/client/toast-store'
import type { ServerAction } from '@/lib/kernel/action-outcome'
import type { RejectReviewInput } from '@/lib/trust/schema'
import type { ReviewView } from '@/lib/trust/view'
import { BuyersLink } from './buyers-link'
import { RejectForm } from './reject-form'

type ReviewCardProps = {
  review: ReviewView
  onApprove: ServerAction<{ reviewId: number }>
  onReject: ServerAction<RejectReviewInput>
}

const sourceText: Record<string, string> = {
  create: 'Flagged when created',
  edit: 'Flagged when edited',
  report: 'Reported',
}

/** Shows a drop that waits for a review, why it was flagged, and the buttons to approve or reject it. */
export function ReviewCard({ review, onApprove, onReject }: ReviewCardProps) {
  const [isRejecting, setIsRejecting] = useState(false)
  const [isPending, startTransition] = useTransition()
  const approve = () =>
    startTransition(async () => {
      const outcome = await callAction(onApprove, { reviewId: review.id })
      if (outcome.ok) toast({ title: 'Drop approved' })
      else toast({ title: "Couldn't approve the drop", description: outcome.error, tone: 'bad' })
    })
  const guarded = useGuardedAction(onReject)
  const reject = async (input: RejectReviewInput) => {
    const outcome = await guarded(input)
    if (outcome.ok) toast({ title: 'Drop removed' })
    else toast({ title: "Couldn't remove the drop", description: outcome.error, tone: 'bad' })
  }

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
              {accountName(review.sellerUsername, review.sellerEmail)}
            </a>{' '}
            · {review.strikes} {review.strikes === 1 ? 'violation' : 'violations'} ·{' '}
            <LocalTime iso={review.createdAt} />
          </p>
          <p className="flex flex-wrap gap-1.5">
            <Badge variant={review.source === 'report' ? 'warn' : 'secondary'}>
              {sourceText[review.source] ?? review.source}
            </Badge>
            <Badge variant="destructive">{review.categoryLabel}</Badge>
          </p>
        </div>
      </div>
      {review.details ? (
        <p className="rounded-control bg-sunken p-3 text-sm whitespace-pre-line">{review.details}</p>
      ) : null}
      <p className="line-clamp-4 text-sm whitespace-pre-line">{review.description}</p>
      <BuyersLink url={review.digitalFileUrl} />
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
