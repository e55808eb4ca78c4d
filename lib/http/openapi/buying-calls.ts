import 'server-only'
import { z } from 'zod/mini'
import { createPaymentIntentSchema, createSessionSchema } from '@/lib/checkout/schema'
import { cancelWalletSchema, checkWalletSchema, startWalletSchema } from '@/lib/checkout/wallet/wallet-schema'
import { orderSummaryView } from '@/lib/orders/view-schema'
import { type Operations } from './operation'

const urlBody = z.object({ url: z.string() })

/** The calls of docs/contract.md#calls-about-buying. */
export const buyingCalls: Operations = {
  '/api/checkout/create-session': {
    post: {
      summary: 'Hold units and open the payment page',
      who: 'anyone',
      isLimited: true,
      body: { schema: createSessionSchema },
      answers: {
        200: { text: 'The URL.', schema: urlBody },
        202: {
          text: 'The units are held and the buyer waits in line. Send the request again with the code from this response.',
          schema: z.object({ wait: z.object({ ahead: z.int(), seconds: z.int() }), code: z.string() }),
          headers: { 'Retry-After': 'Seconds to wait before trying again.' },
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
            'X-Hold-Expires-At': 'When the hold of the unit ends.',
            'X-Server-Time': "The server's time when it responded.",
          },
        },
      },
      refusals: [404, 409],
    },
  },
  '/api/checkout/wallet': {
    post: {
      summary: 'Hold units while the sheet of a wallet opens',
      who: 'anyone',
      isLimited: true,
      body: { schema: startWalletSchema },
      answers: {
        200: {
          text: 'The secret of the payment, its amount, and when the hold of the units ends.',
          schema: z.object({ clientSecret: z.string(), amountCents: z.int(), expiresAt: z.iso.datetime() }),
        },
      },
      refusals: [404, 409],
    },
  },
  '/api/checkout/wallet/prepare': {
    post: {
      summary: 'Give a browser that can offer a wallet its cookie as a buyer',
      who: 'anyone',
      answers: { 204: { text: 'The browser has the cookie.' } },
      refusals: [],
    },
  },
  '/api/checkout/wallet/check': {
    post: {
      summary: 'Check what a wallet returned, before it pays',
      who: 'anyone',
      body: { schema: checkWalletSchema },
      answers: { 204: { text: 'The wallet may pay.' } },
      refusals: [404, 409],
    },
  },
  '/api/checkout/wallet/cancel': {
    post: {
      summary: 'Release the units of a sheet that was closed',
      who: 'anyone',
      isAlwaysOpen: true,
      body: { schema: cancelWalletSchema },
      answers: {
        200: {
          text: 'Whether this browser no longer holds units of the drop.',
          schema: z.object({ released: z.boolean() }),
        },
      },
      refusals: [],
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
