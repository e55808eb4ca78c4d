import 'server-only'
import { z } from 'zod/mini'
import { passkeyOptionsSchema, passkeySchema } from '@/lib/accounts/passkeys/passkey-schema'
import { passkeyRequestView, userView } from '@/lib/accounts/view-schema'
import type { Operations } from './operation'

/** The calls that sign in with a passkey (docs/product.md#passkeys). */
export const passkeyCalls: Operations = {
  '/api/auth/passkey-options': {
    post: {
      summary: 'Ask for a challenge that a passkey answers',
      who: 'anyone',
      isAlwaysOpen: true,
      body: { schema: passkeyOptionsSchema },
      answers: {
        200: {
          text: 'The options for navigator.credentials.get(). The challenge is valid for five minutes, in this browser only.',
          schema: z.object({ options: passkeyRequestView }),
        },
      },
      refusals: [401, 403],
    },
  },
  '/api/auth/passkey': {
    post: {
      summary: 'Sign in with a passkey, alone or as the second factor',
      who: 'anyone',
      isAlwaysOpen: true,
      isLimited: true,
      body: { schema: passkeySchema },
      answers: { 200: { text: 'Signed in.', schema: z.object({ user: userView }) } },
      refusals: [401, 403],
    },
  },
}
