'use client'

import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { LabeledField } from '@/components/ui/labeled-field'
import { NativeSelect } from '@/components/ui/native-select'
import { type Category, isCategory, prohibitedCategories } from '@/lib/moderation/messages'
import { isSevereCategory, type Penalty } from '@/lib/trust/rules'
import { type RejectReviewForm, rejectReviewFormSchema, type RejectReviewInput } from '@/lib/trust/schema'
import type { ReviewView } from '@/lib/trust/view'

type RejectFormProps = {
  review: ReviewView
  onReject: (input: RejectReviewInput) => Promise<void>
  onCancel: () => void
}

const penaltyText: Record<Penalty, string> = {
  warning: 'The seller gets a warning.',
  suspension: 'The seller is suspended for 30 days.',
  ban: 'The seller is suspended permanently.',
}

/**
 * Asks which category the drop belongs to, because the scanner or the report may name the wrong one. A review without a
 * category starts with none, so that nobody is suspended for a category that nobody chose.
 */
export function RejectForm({ review, onReject, onCancel }: RejectFormProps) {
  const found = isCategory(review.category) ? review.category : ''
  const { control, handleSubmit, formState } = useForm<RejectReviewForm>({
    resolver: zodResolver(rejectReviewFormSchema),
    defaultValues: { reviewId: review.id, category: found },
  })
  const category = useWatch({ control, name: 'category' })
  const reject = handleSubmit(async ({ reviewId, category: chosen }) =>
    chosen ? onReject({ reviewId, category: chosen }) : undefined,
  )
  return (
    <form
      noValidate
      onSubmit={(event) => void reject(event)}
      className="grid gap-3 rounded-control border border-bad/50 p-3"
    >
      <LabeledField control={control} name="category" id={`reject-${review.id}`} label="Category">
        {(field) => (
          <NativeSelect {...field}>
            <option value="">Choose a category</option>
            {Object.entries(prohibitedCategories).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        )}
      </LabeledField>
      <p role="status" className="text-sm">
        {consequence(review, category)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="outlineDestructive" isBusy={formState.isSubmitting}>
          Remove the drop
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Says what rejecting the drop in this category means for its seller. */
function consequence({ isSellerAdmin, nextPenalty }: ReviewView, category: Category | ''): string {
  if (isSellerAdmin) return "The drop is removed. Its seller is an administrator, so this doesn't count as a violation."
  if (!category) return 'The drop is removed, and this counts as a violation by the seller.'
  const penalty = penaltyText[isSevereCategory(category) ? 'ban' : nextPenalty]
  return `The drop is removed, and this counts as a violation by the seller. ${penalty}`
}
