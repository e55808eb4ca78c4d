'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod/mini'
import { passkeySchema } from '@/lib/accounts/passkeys/passkey-schema'
import { codeSchema, startTwoFactorSchema } from '@/lib/accounts/schema'
import { stepUp, stepUpWithPassword } from '@/lib/accounts/step-up'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { rejectDrop } from '@/lib/admin/reject-drop'
import { replayEvent } from '@/lib/admin/replay-event'
import { eventIdSchema, extendLiveDropsSchema } from '@/lib/admin/schema'
import { action } from '@/lib/http/action'
import { finishPasskeyStepUp, startPasskeyStepUp } from '@/lib/http/sign-in/passkey-step-up'
import { recordHandPayment } from '@/lib/payouts/record-hand-payment'
import { handPaymentSchema } from '@/lib/payouts/schema'
import { recordHandRefund } from '@/lib/refunds/record-hand-refund'
import { handRefundSchema } from '@/lib/refunds/schema'
import { approveReview } from '@/lib/trust/approve-review'
import { clearProfile } from '@/lib/trust/clear-profile'
import { decideAppeal } from '@/lib/trust/decide-appeal'
import { keepProfile } from '@/lib/trust/keep-profile'
import {
  approveReviewSchema,
  clearProfileSchema,
  decideAppealSchema,
  keepProfileSchema,
  rejectReviewSchema,
} from '@/lib/trust/schema'

const nothing = z.strictObject({})

export const extendLiveDropsAction = action({
  who: 'admin',
  input: extendLiveDropsSchema,
  run: (ctx, input) => extendLiveDrops(ctx, input),
})

export const stepUpAction = action({ who: 'admin', input: codeSchema, run: stepUp })
export const passwordStepUpAction = action({ who: 'admin', input: startTwoFactorSchema, run: stepUpWithPassword })
export const startPasskeyStepUpAction = action({ who: 'admin', input: nothing, run: startPasskeyStepUp })
export const passkeyStepUpAction = action({ who: 'admin', input: passkeySchema, run: finishPasskeyStepUp })

export const replayEventAction = action({
  who: 'admin',
  input: eventIdSchema,
  run: async (ctx, input) => {
    const outcome = await replayEvent(ctx, input)
    revalidatePath('/admin/events')
    return outcome
  },
})

export const recordHandPaymentAction = action({
  who: 'admin',
  input: handPaymentSchema,
  run: async (ctx, input) => {
    const outcome = await recordHandPayment(ctx, input)
    revalidatePath('/admin/orders')
    return outcome
  },
})

export const recordHandRefundAction = action({
  who: 'admin',
  input: handRefundSchema,
  run: async (ctx, input) => {
    await recordHandRefund(ctx, input)
    revalidatePath('/admin/orders')
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

export const clearProfileAction = action({
  who: 'admin',
  input: clearProfileSchema,
  run: async (ctx, input) => {
    await clearProfile(ctx, input)
    revalidatePath('/admin/reviews')
  },
})

export const keepProfileAction = action({
  who: 'admin',
  input: keepProfileSchema,
  run: async (ctx, input) => {
    await keepProfile(ctx, input)
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
