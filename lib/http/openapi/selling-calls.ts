import 'server-only'
import { z } from 'zod/mini'
import { createCodeSchema } from '@/lib/drops/code-schema'
import { createDropFields, editDropSchema, imageFields, relaunchSchema } from '@/lib/drops/schema'
import { analyticsView, discountCodeView, sellerDropView, slugCheckView } from '@/lib/drops/view-schema'
import { createPaymentIntentSchema, createSessionSchema } from '@/lib/orders/schema'
import { orderSummaryView } from '@/lib/orders/view-schema'
import {
  cancelSchema,
  createSubscriptionSchema,
  finishUpgradeSchema,
  switchPeriodSchema,
} from '@/lib/subscriptions/schema'
import { connectPayoutsSchema } from '@/lib/payouts/schema'
import { planView } from '@/lib/subscriptions/view-schema'
import { startUploadsSchema, uploadKeysSchema } from '@/lib/uploads/schema'
import { startedUpload } from '@/lib/uploads/view-schema'
import { type Operations } from './operation'

const uploads = z.optional(uploadKeysSchema)
const theDrop = { text: 'The drop.', schema: sellerDropView }
const theCode = { text: 'The code.', schema: discountCodeView }
const thePlan = { text: 'The plan.', schema: planView }
const address = z.object({ url: z.string() })

/** docs/contract.md#calls-about-drops */
export const dropCalls: Operations = {
  '/api/drops/user': {
    get: {
      summary: "The seller's drops, newest first, at most 200",
      who: 'seller',
      answers: { 200: { text: 'The drops.', schema: z.array(sellerDropView) } },
    },
  },
  '/api/drops': {
    post: {
      summary: 'Create a drop; once per idempotencyKey',
      who: 'activeSeller',
      body: [
        { schema: createDropFields, type: 'multipart/form-data', files: [...imageFields, 'digitalFile'] },
        { schema: z.extend(createDropFields, { uploads }) },
      ],
      answers: { 201: theDrop },
      refusals: [409, 429],
    },
  },
  '/api/drops/{id}': {
    patch: {
      summary: 'Change the description, the quantity, the choices or the pictures; until the start also the rest',
      who: 'activeSeller',
      body: [
        { schema: editDropSchema, type: 'multipart/form-data', files: imageFields },
        { schema: z.extend(editDropSchema, { uploads }) },
      ],
      answers: { 200: theDrop },
      refusals: [404, 409],
    },
    delete: {
      summary: 'Delete a drop',
      who: 'seller',
      answers: { 204: { text: 'Deleted.' } },
      refusals: [404, 409],
    },
  },
  '/api/drops/{id}/end': {
    post: { summary: 'End a drop now', who: 'activeSeller', answers: { 200: theDrop }, refusals: [404, 409] },
  },
  '/api/drops/{id}/relaunch': {
    post: {
      summary: 'Begin the next run',
      who: 'activeSeller',
      body: { schema: relaunchSchema },
      answers: { 200: theDrop },
      refusals: [404, 409],
    },
  },
  '/api/drops/{id}/analytics': {
    get: {
      summary: 'Live Analytics; needs Pro',
      who: 'seller',
      answers: { 200: { text: 'The figures.', schema: analyticsView } },
      refusals: [404],
    },
  },
  '/api/drops/{id}/codes': {
    get: {
      summary: 'The discount codes of a drop, newest first',
      who: 'seller',
      answers: { 200: { text: 'The codes.', schema: z.array(discountCodeView) } },
      refusals: [404],
    },
    post: {
      summary: 'Make a discount code',
      who: 'activeSeller',
      body: { schema: createCodeSchema },
      answers: { 201: theCode },
      refusals: [404, 409],
    },
  },
  '/api/drops/{id}/codes/{codeId}/end': {
    post: { summary: 'End a discount code now', who: 'activeSeller', answers: { 200: theCode }, refusals: [404] },
  },
  '/api/check-slug/{slug}': {
    get: {
      summary: 'Whether a custom link is free; needs Pro',
      who: 'seller',
      isLimited: true,
      answers: { 200: { text: 'The answer.', schema: slugCheckView } },
    },
  },
  '/api/uploads': {
    post: {
      summary: 'Where to send files, when they go to UploadThing',
      who: 'activeSeller',
      isLimited: true,
      body: { schema: startUploadsSchema },
      answers: { 201: { text: 'One address per file.', schema: z.object({ uploads: z.array(startedUpload) }) } },
      refusals: [404],
    },
  },
}

/** docs/contract.md#calls-about-buying */
export const buyingCalls: Operations = {
  '/api/checkout/create-session': {
    post: {
      summary: 'Hold units and open the payment page',
      who: 'anyone',
      isLimited: true,
      body: { schema: createSessionSchema },
      answers: {
        200: { text: 'The address.', schema: address },
        202: {
          text: 'The units are held, and the buyer waits in line: ask again, with the code of this answer.',
          schema: z.object({ wait: z.object({ ahead: z.int(), seconds: z.int() }), code: z.string() }),
          headers: { 'Retry-After': 'Seconds until it is worth asking again.' },
        },
      },
      refusals: [404, 409],
    },
  },
  '/api/create-payment-intent': {
    post: {
      summary: 'Hold a unit for the card form on our own page',
      who: 'anyone',
      isLimited: true,
      body: { schema: createPaymentIntentSchema },
      answers: {
        200: {
          text: 'The secret of the payment.',
          schema: z.object({ clientSecret: z.string() }),
          headers: {
            'X-Hold-Expires-At': 'Until when the unit is held.',
            'X-Server-Time': 'The time of the answer.',
          },
        },
      },
      refusals: [404, 409],
    },
  },
  '/api/order/{sessionId}': {
    get: {
      summary: 'What was paid, once it is paid',
      who: 'anyone',
      isAlwaysOpen: true,
      answers: { 200: { text: 'The amounts.', schema: orderSummaryView } },
      refusals: [404],
    },
  },
}

/** docs/contract.md#calls-about-pro, docs/contract.md#calls-about-payouts */
export const planCalls: Operations = {
  '/api/subscription': { get: { summary: "The seller's plan", who: 'seller', answers: { 200: thePlan } } },
  '/api/create-subscription': {
    post: {
      summary: 'Open the payment page of Pro',
      who: 'activeSeller',
      body: { schema: createSubscriptionSchema },
      isBodyOptional: true,
      answers: { 200: { text: 'The address of the payment page.', schema: address } },
      refusals: [409, 429],
    },
  },
  '/api/subscription/finish': {
    post: {
      summary: 'Whether Pro was paid, as Stripe says',
      who: 'seller',
      isAlwaysOpen: true,
      body: { schema: finishUpgradeSchema },
      answers: { 200: { text: 'The answer.', schema: z.object({ isPro: z.boolean() }) } },
      refusals: [404],
    },
  },
  '/api/subscription/switch': {
    post: {
      summary: 'Switch between monthly and yearly',
      who: 'activeSeller',
      body: { schema: switchPeriodSchema },
      answers: { 200: thePlan },
      refusals: [404, 409],
    },
  },
  '/api/subscription/cancel': {
    post: {
      summary: 'Cancel Pro for the end of the period, or take that back',
      who: 'seller',
      isAlwaysOpen: true,
      body: { schema: cancelSchema },
      answers: { 200: thePlan },
      refusals: [404, 409],
    },
  },
  '/api/subscription/money-back': {
    post: {
      summary: 'End Pro and get its price back, within 14 days',
      who: 'seller',
      isAlwaysOpen: true,
      answers: { 200: thePlan },
      refusals: [404, 409],
    },
  },
  '/api/payouts/connect': {
    post: {
      summary: "Stripe's page for the next step towards payouts; good for minutes",
      who: 'seller',
      isAlwaysOpen: true,
      body: { schema: connectPayoutsSchema },
      isBodyOptional: true,
      answers: { 200: { text: 'The address.', schema: address } },
      refusals: [409],
    },
  },
}
