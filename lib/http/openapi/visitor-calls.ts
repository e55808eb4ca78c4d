import 'server-only'
import { z } from 'zod/mini'
import { leaveSchema } from '@/lib/drops/schema'
import { profileView, shownDropView } from '@/lib/drops/view-schema'
import { findOrderSchema } from '@/lib/orders/schema'
import { reportSchema } from '@/lib/trust/schema'
import { confirmFollowSchema, leaveSellerSchema } from '@/lib/followers/schema'
import { confirmWaitlistSchema, joinWaitlistSchema, leaveWaitlistSchema } from '@/lib/waitlist/schema'
import { type Operations } from './operation'

export const messageBody = z.object({ message: z.string() })

const oembed = z.object({
  version: z.literal('1.0'),
  type: z.literal('link'),
  title: z.string(),
  url: z.string(),
  author_name: z.string(),
  author_url: z.optional(z.string()),
  provider_name: z.string(),
  provider_url: z.string(),
  cache_age: z.int(),
  thumbnail_url: z.string(),
  thumbnail_width: z.int(),
  thumbnail_height: z.int(),
})

/**
 * The calls of docs/contract.md#calls-anyone-may-make, except the reports of browsers, which are in machine-calls.ts.
 */
export const visitorCalls: Operations = {
  '/api/drop/{identifier}': {
    get: {
      summary: 'One drop, as its page shows it',
      who: 'anyone',
      isShared: true,
      answers: { 200: { text: 'The drop.', schema: shownDropView } },
      refusals: [404],
    },
  },
  '/drop/{identifier}/opengraph-image': {
    get: {
      summary: 'The preview picture of a drop',
      who: 'anyone',
      isShared: true,
      answers: { 200: { text: 'A PNG of 1200 × 630 pixels, smaller than 300 KB.', type: 'image/png' } },
      refusals: [404],
    },
  },
  '/api/drop/{identifier}/events': {
    get: {
      summary: 'The drop on each change, as server-sent events',
      who: 'anyone',
      answers: {
        200: { text: 'Events named `drop` with the same body.', type: 'text/event-stream' },
        204: { text: 'This server does not stream. Poll instead.' },
      },
      refusals: [404],
    },
  },
  '/api/drop/{identifier}/view': {
    post: {
      summary: 'Count one view of the page',
      who: 'anyone',
      query: z.object({ from: z.optional(z.string()), tag: z.optional(z.string()) }),
      answers: { 204: { text: 'Counted, or ignored because it does not count.' } },
    },
  },
  '/api/drop/{identifier}/leave': {
    post: {
      summary: "Count whether a visitor could leave another app's browser",
      who: 'anyone',
      isLimited: true,
      query: leaveSchema,
      answers: { 204: { text: 'Counted, or ignored because it does not count.' } },
    },
  },
  '/api/drop/{identifier}/remind': {
    post: {
      summary: 'Ask for an email when the drop can be bought again',
      who: 'anyone',
      isLimited: true,
      body: { schema: joinWaitlistSchema },
      answers: { 200: { text: 'The same response for every address.', schema: messageBody } },
      refusals: [404, 409],
    },
  },
  '/api/drop/{identifier}/report': {
    post: {
      summary: 'Report a drop',
      who: 'anyone',
      body: { schema: reportSchema, type: 'application/x-www-form-urlencoded' },
      answers: { 303: { text: 'To the report page, which says whether the report was accepted.' } },
      refusals: [404],
    },
  },
  '/api/profile/public/{username}': {
    get: {
      summary: 'A seller and their drops',
      who: 'anyone',
      isShared: true,
      answers: { 200: { text: 'The profile.', schema: z.extend(profileView, { serverTime: z.iso.datetime() }) } },
      refusals: [404],
    },
  },
  '/api/profile/report/{username}': {
    post: {
      summary: 'Report a public profile',
      who: 'anyone',
      body: { schema: reportSchema, type: 'application/x-www-form-urlencoded' },
      answers: { 303: { text: 'To the report page, which says whether the report was accepted.' } },
      refusals: [404],
    },
  },
  '/api/oembed': {
    get: {
      summary: 'What a link to a drop shows elsewhere (oEmbed)',
      who: 'anyone',
      query: z.object({ url: z.string(), format: z.optional(z.literal('json')) }),
      answers: { 200: { text: 'oEmbed data of type `link`, which may be cached for five minutes.', schema: oembed } },
      refusals: [404, 501],
    },
  },
  '/api/openapi.json': {
    get: {
      summary: 'This document',
      who: 'anyone',
      isShared: true,
      answers: {
        200: { text: 'An OpenAPI 3.1 document.', schema: z.looseObject({ openapi: z.literal('3.1.0') }) },
      },
    },
  },
  '/api/waitlist/confirm': {
    post: {
      summary: 'Confirm a reminder with the secret from the email',
      who: 'anyone',
      isAlwaysOpen: true,
      isLimited: true,
      body: { schema: confirmWaitlistSchema, type: 'application/x-www-form-urlencoded' },
      answers: { 303: { text: 'To `/remind/done`, or to `/remind/offered` after an offer in this run.' } },
      refusals: [404, 410],
    },
  },
  '/api/waitlist/leave': {
    post: {
      summary: 'Unsubscribe from the emails about a drop',
      who: 'anyone',
      isAlwaysOpen: true,
      query: z.extend(leaveWaitlistSchema, { page: z.optional(z.string()) }),
      answers: {
        200: { text: 'Stopped, now or by an earlier call.', schema: messageBody },
        303: { text: 'The same, for the form of our own page: to `/remind/stopped`.' },
      },
      refusals: [404, 410],
    },
  },
  '/api/follow/confirm': {
    post: {
      summary: "Confirm the emails about a seller's drops with the secret from the email",
      who: 'anyone',
      isAlwaysOpen: true,
      isLimited: true,
      body: { schema: confirmFollowSchema, type: 'application/x-www-form-urlencoded' },
      answers: { 303: { text: 'To `/follow/done`.' } },
      refusals: [410],
    },
  },
  '/api/follow/leave': {
    post: {
      summary: "Stop the emails about a seller's drops (one click in an email program)",
      who: 'anyone',
      isAlwaysOpen: true,
      query: z.extend(leaveSellerSchema, { page: z.optional(z.string()) }),
      answers: {
        200: { text: 'Stopped, now or by an earlier call.', schema: messageBody },
        303: { text: 'The same, for the form of our own page: to `/follow/stopped`.' },
      },
      refusals: [410],
    },
  },
  '/api/find-order': {
    post: {
      summary: 'Email the order links of an address',
      who: 'anyone',
      isAlwaysOpen: true,
      isLimited: true,
      body: { schema: findOrderSchema },
      answers: { 200: { text: 'The same response for every address.', schema: messageBody } },
    },
  },
}
