'use server'

import { revalidatePath } from 'next/cache'
import { codeSchema } from '@/lib/accounts/schema'
import { stepUp } from '@/lib/accounts/step-up'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { rejectDrop } from '@/lib/admin/reject-drop'
import { replayEvent } from '@/lib/admin/replay-event'
import { eventIdSchema, extendLiveDropsSchema } from '@/lib/admin/schema'
import { action } from '@/lib/http/action'
import { approveReview } from '@/lib/trust/approve-review'
import { decideAppeal } from '@/lib/trust/decide-appeal'
import { approveReviewSchema, decideAppealSchema, rejectReviewSchema } from '@/lib/trust/schema'

export const extendLiveDropsAction = action({
  who: 'admin',
  input: extendLiveDropsSchema,
  run: (ctx, input) => extendLiveDrops(ctx, input),
})

export const stepUpAction = action({ who: 'admin', input: codeSchema, run: stepUp })

export const replayEventAction = action({
  who: 'admin',
  input: eventIdSchema,
  run: async (ctx, input) => {
    const outcome = await replayEvent(ctx, input)
    revalidatePath('/admin/events')
    return outcome
  },
})

export const approveReviewAction = action({
  who: 'admin',
  input: approveReviewSchema,
  run: async (ctx, input) => {
    await approveReview(ctx, input)
    revalidatePath('/admin/reviews')
  },
})

export const rejectReviewAction = action({
  who: 'admin',
  input: rejectReviewSchema,
  run: async (ctx, input) => {
    const penalty = await rejectDrop(ctx, input)
    revalidatePath('/admin/reviews')
    return penalty
  },
})

export const decideAppealAction = action({
  who: 'admin',
  input: decideAppealSchema,
  run: async (ctx, input) => {
    await decideAppeal(ctx, input)
    revalidatePath('/admin/reviews')
  },
})
