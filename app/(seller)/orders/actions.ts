'use server'

import { revalidatePath } from 'next/cache'
import { action } from '@/lib/http/action'
import { answerDispute } from '@/lib/refunds/answer-dispute'
import { declineRefund } from '@/lib/refunds/decline-refund'
import { importTracking } from '@/lib/shipping/import-tracking'
import { markDelivered } from '@/lib/shipping/mark-delivered'
import { markShipped } from '@/lib/shipping/mark-shipped'
import { noteSlipsPrinted } from '@/lib/shipping/note-slips-printed'
import { proposeShipDay } from '@/lib/shipping/propose-ship-day'
import { refundOrder } from '@/lib/refunds/refund-order'
import { voidKey } from '@/lib/orders/void-key'
import { answerDisputeSchema, declineRefundSchema, refundOrderSchema } from '@/lib/refunds/schema'
import {
  completeOrderSchema,
  markShippedSchema,
  noteSlipsSchema,
  proposeShipDaySchema,
  trackingFileSchema,
} from '@/lib/shipping/schema'
import { voidKeySchema } from '@/lib/orders/schema'

export const markShippedAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: markShippedSchema,
  run: async (ctx, input) => {
    await markShipped(ctx, input)
    revalidatePath('/orders', 'layout')
  },
})

export const refundOrderAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: refundOrderSchema,
  run: async (ctx, input) => {
    const state = await refundOrder(ctx, input)
    revalidatePath('/orders', 'layout')
    return state
  },
})

export const proposeShipDayAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: proposeShipDaySchema,
  run: async (ctx, input) => {
    await proposeShipDay(ctx, input)
    revalidatePath('/orders', 'layout')
  },
})

export const noteSlipsPrintedAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: noteSlipsSchema,
  run: (ctx, input) => noteSlipsPrinted(ctx, input),
})

export const markDeliveredAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: completeOrderSchema,
  run: async (ctx, input) => {
    await markDelivered(ctx, input)
    revalidatePath('/orders', 'layout')
  },
})

export const voidKeyAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: voidKeySchema,
  run: async (ctx, input) => {
    await voidKey(ctx, input)
    revalidatePath('/orders', 'layout')
  },
})

export const declineRefundAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: declineRefundSchema,
  run: async (ctx, input) => {
    await declineRefund(ctx, input)
    revalidatePath('/orders', 'layout')
  },
})

export const answerDisputeAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: answerDisputeSchema,
  run: async (ctx, input) => {
    await answerDispute(ctx, input)
    revalidatePath('/orders', 'layout')
  },
})

export const previewTrackingAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: trackingFileSchema,
  run: (ctx, { csv }) => importTracking(ctx, { csv, isDry: true }),
})

export const applyTrackingAction = action({
  who: 'seller',
  isAlwaysOpen: true,
  input: trackingFileSchema,
  run: async (ctx, { csv }) => {
    const applied = await importTracking(ctx, { csv, isDry: false })
    revalidatePath('/orders', 'layout')
    return applied
  },
})
