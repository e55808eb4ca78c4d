import 'server-only'
import { z } from 'zod/mini'
import { advanceSchema, faultsSchema } from '../sandbox-schema'
import { type Operation, type Operations } from './operation'

const report = z.object({ archived: z.int(), renewed: z.int(), released: z.int() })

const archive: Operation = {
  summary: 'Do what the built-in scheduler does',
  who: 'cronSecret',
  isAlwaysOpen: true,
  answers: { 200: { text: 'What was done.', schema: report } },
}

const received = z.object({ received: z.literal(true) })

/** Describes a signed report from another service, whose own documentation describes the body. */
const signed = (
  who: 'stripeSignature' | 'uploadThingSignature',
  summary: string,
  answer: z.ZodMiniType,
): Operation => ({
  summary,
  who,
  isAlwaysOpen: true,
  body: { schema: z.looseObject({}) },
  answers: { 200: { text: 'Received.', schema: answer } },
  refusals: [404],
})

/**
 * The calls of machines and of the sandbox whose bodies we describe (docs/contract.md#calls-of-machines,
 * docs/contract.md#sandbox), and the reports of browsers about the Content-Security-Policy.
 */
export const machineCalls: Operations = {
  '/api/health': {
    get: {
      summary: 'Whether this process and its database work',
      who: 'anyone',
      isAlwaysOpen: true,
      answers: {
        200: {
          text: 'They work.',
          schema: z.object({
            status: z.literal('ok'),
            database: z.literal('ok'),
            payments: z.enum(['live', 'sandbox', 'off']),
            time: z.iso.datetime(),
          }),
        },
        503: {
          text: 'The database does not respond.',
          schema: z.object({ status: z.literal('unavailable'), database: z.literal('away') }),
          headers: { 'Retry-After': 'Seconds to wait before trying again.' },
        },
      },
    },
  },
  '/api/csp-report': {
    post: {
      summary: "A browser's report of what the Content-Security-Policy has stopped",
      who: 'anyone',
      isAlwaysOpen: true,
      isLimited: true,
      body: { schema: z.looseObject({}) },
      answers: { 204: { text: 'Noted, if it is a report.' } },
    },
  },
  '/api/metrics': {
    get: {
      summary: "This process and the platform's health, for Prometheus",
      who: 'cronSecret',
      isAlwaysOpen: true,
      answers: { 200: { text: 'The figures.', type: 'text/plain' } },
    },
  },
  '/api/cron/archive': { get: archive, post: archive },
  '/api/webhooks/stripe': {
    post: signed('stripeSignature', "Stripe's events", z.extend(received, { outcome: z.string() })),
  },
  '/api/uploadthing': { post: signed('uploadThingSignature', "UploadThing's reports", received) },
  '/api/sandbox/mail': {
    get: {
      summary: 'The mailbox of the sandbox, newest first, at most 100',
      who: 'anyone',
      isAlwaysOpen: true,
      query: z.object({ to: z.optional(z.string()) }),
      answers: {
        200: {
          text: 'The emails.',
          schema: z.array(
            z.object({
              to: z.string(),
              subject: z.string(),
              text: z.string(),
              html: z.string(),
              createdAt: z.iso.datetime(),
            }),
          ),
        },
      },
      refusals: [404],
    },
  },
  '/api/sandbox/stripe/advance': {
    post: {
      summary: 'Let time pass for one subscription of the stand-in',
      who: 'anyone',
      isAlwaysOpen: true,
      body: { schema: advanceSchema },
      answers: { 204: { text: 'Done.' } },
      refusals: [404],
    },
  },
  '/api/sandbox/stripe/faults': {
    post: {
      summary: 'Choose the faults that the stand-in simulates',
      who: 'anyone',
      isAlwaysOpen: true,
      body: { schema: faultsSchema },
      answers: { 204: { text: 'Chosen.' } },
      refusals: [404],
    },
  },
}
