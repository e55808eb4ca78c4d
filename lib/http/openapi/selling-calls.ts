import 'server-only'
import { z } from 'zod/mini'
import { createCodeSchema } from '@/lib/drops/codes/code-schema'
import { otherNames } from '@/lib/drops/field-schema'
import { plainDropFields } from '@/lib/drops/plain-schema'
import { createDropFields, editDropSchema, imageFields, relaunchSchema } from '@/lib/drops/schema'
import { analyticsView, discountCodeView, sellerDropView, slugCheckView } from '@/lib/drops/view-schema'
import {
  cancelSchema,
  createSubscriptionSchema,
  finishUpgradeSchema,
  previewSwitchSchema,
  switchPeriodSchema,
} from '@/lib/subscriptions/schema'
import { connectPayoutsSchema } from '@/lib/payouts/schema'
import { planView, switchView } from '@/lib/subscriptions/view-schema'
import { startUploadsSchema, uploadKeysSchema } from '@/lib/uploads/schema'
import { keptPhoto, startedUpload } from '@/lib/uploads/view-schema'
import { type Operations } from './operation'

const uploads = z.optional(uploadKeysSchema)
const theDrop = { text: 'The drop.', schema: sellerDropView }
const theCode = { text: 'The code.', schema: discountCodeView }
const thePlan = { text: 'The plan.', schema: planView }
const urlBody = z.object({ url: z.string() })

/** The calls of docs/contract.md#calls-about-drops. */
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
      summary: 'Create a drop, once per `idempotencyKey`',
      who: 'activeSeller',
      body: [
        {
          schema: z.extend(createDropFields, otherNames),
          type: 'multipart/form-data',
          files: [...imageFields, 'digitalFile'],
        },
        { schema: z.extend(createDropFields, { ...otherNames, uploads }) },
      ],
      answers: { 201: theDrop },
      refusals: [409, 429],
    },
  },
  '/api/drops/form': {
    post: {
      summary: 'Create a drop from the form for browsers without JavaScript',
      who: 'activeSeller',
      body: { schema: plainDropFields, type: 'multipart/form-data', files: imageFields },
      answers: { 303: { text: 'To the success page of the drop.' } },
      refusals: [409, 429],
    },
  },
  '/api/drops/{id}': {
    patch: {
      summary: 'Change the description, the quantity, the choices or the photos and, until the start, everything else',
      who: 'activeSeller',
      body: [
        { schema: editDropSchema, type: 'multipart/form-data', files: [...imageFields, 'digitalFile'] },
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
    post: { summary: 'End a drop now', who: 'seller', answers: { 200: theDrop }, refusals: [404, 409] },
  },
  '/api/drops/{id}/relaunch': {
    post: {
      summary: 'Begin the next run. An open edition has none',
      who: 'activeSeller',
      body: { schema: relaunchSchema },
      answers: { 200: theDrop },
      refusals: [404, 409],
    },
  },
  '/api/drops/{id}/analytics': {
    get: {
      summary: 'Return the live analytics (needs Pro)',
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
      summary: 'Create a discount code',
      who: 'activeSeller',
      body: { schema: createCodeSchema },
      answers: { 201: theCode },
      refusals: [404, 409],
    },
  },
  '/api/drops/{id}/codes/{codeId}/end': {
    post: { summary: 'End a discount code now', who: 'seller', answers: { 200: theCode }, refusals: [404] },
  },
  '/api/check-slug/{slug}': {
    get: {
      summary: 'Check whether a custom link is free (needs Pro)',
      who: 'seller',
      isLimited: true,
      answers: { 200: { text: 'The answer.', schema: slugCheckView } },
    },
  },
  '/api/uploads': {
    post: {
      summary: 'Return the URLs to which the browser sends files (UploadThing)',
      who: 'activeSeller',
      isLimited: true,
      body: { schema: startUploadsSchema },
      answers: { 201: { text: 'One URL per file.', schema: z.object({ uploads: z.array(startedUpload) }) } },
      refusals: [404],
    },
  },
  '/api/uploads/photo': {
    post: {
      summary: 'Send one photo before its form',
      who: 'activeSeller',
      isLimited: true,
      body: { schema: z.object({}), type: 'multipart/form-data', files: ['photo'] },
      answers: { 201: { text: 'The key of the photo for `uploads` of the form.', schema: keptPhoto } },
    },
  },
}

/** The calls of docs/contract.md#calls-about-pro and docs/contract.md#calls-about-payouts. */
export const planCalls: Operations = {
  '/api/subscription': { get: { summary: "The seller's plan", who: 'seller', answers: { 200: thePlan } } },
  '/api/create-subscription': {
    post: {
      summary: 'Open the payment page of Pro',
      who: 'activeSeller',
      body: { schema: createSubscriptionSchema },
      isBodyOptional: true,
      answers: { 200: { text: 'The URL of the payment page.', schema: urlBody } },
      refusals: [409, 429],
    },
  },
  '/api/subscription/finish': {
    post: {
      summary: 'Whether Pro was paid, according to Stripe',
      who: 'seller',
      isAlwaysOpen: true,
      body: { schema: finishUpgradeSchema },
      answers: { 200: { text: 'The answer.', schema: z.object({ isPro: z.boolean() }) } },
      refusals: [404],
    },
  },
  '/api/subscription/switch': {
    get: {
      summary: 'What a switch between monthly and yearly would charge now, according to Stripe',
      who: 'activeSeller',
      query: previewSwitchSchema,
      answers: { 200: { text: 'The preview.', schema: switchView } },
      refusals: [404, 409],
    },
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
      summary: 'Cancel Pro at the end of the period, or undo that',
      who: 'seller',
      isAlwaysOpen: true,
      body: { schema: cancelSchema },
      answers: { 200: thePlan },
      refusals: [404, 409],
    },
  },
  '/api/subscription/money-back': {
    post: {
      summary: 'End Pro and refund its price, within 14 days',
      who: 'seller',
      isAlwaysOpen: true,
      answers: { 200: thePlan },
      refusals: [404, 409],
    },
  },
  '/api/payouts/connect': {
    post: {
      summary: "Return the URL of Stripe's page for the next step of payouts, valid for a few minutes",
      who: 'seller',
      isAlwaysOpen: true,
      body: { schema: connectPayoutsSchema },
      isBodyOptional: true,
      answers: { 200: { text: 'The URL.', schema: urlBody } },
      refusals: [409],
    },
  },
}
