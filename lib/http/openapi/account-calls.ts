import 'server-only'
import { z } from 'zod/mini'
import {
  changeUsernameSchema,
  codeSchema,
  confirmEmailSchema,
  forgotSchema,
  loginSchema,
  planStepSchema,
  profileSchema,
  resetSchema,
  settingsSchema,
  signupDraftSchema,
  signupSchema,
} from '@/lib/accounts/schema'
import { publicProfileSchema } from '@/lib/profiles/schema'
import { publicProfileView } from '@/lib/profiles/view-schema'
import { eligibilityView, usernameCheckView, userView } from '@/lib/accounts/view-schema'
import { type Operation, type Operations } from './operation'
import { passkeyCalls } from './passkey-calls'
import { messageBody } from './visitor-calls'

const ofUser = z.object({ user: userView })

/**
 * Describes a call that needs no session, such as one that signs in, recovers a password or confirms an email address.
 * The call stays open while the platform is paused.
 */
function withoutSession(summary: string, schema: z.ZodMiniType, answer: z.ZodMiniType, text: string): Operation {
  return {
    summary,
    who: 'anyone',
    isAlwaysOpen: true,
    isLimited: true,
    body: { schema },
    answers: { 200: { text, schema: answer } },
  }
}

const sameForAll = 'The same response for every email address.'

const signingIn: Operations = {
  '/api/auth/login': {
    post: {
      ...withoutSession(
        'Sign in',
        loginSchema,
        z.union([ofUser, z.object({ redirect: z.literal('/two-factor') })]),
        'Signed in, or the path of the page that asks for the second factor.',
      ),
      refusals: [401],
    },
  },
  '/api/auth/two-factor': {
    post: {
      ...withoutSession('Enter the second factor', codeSchema, ofUser, 'Signed in.'),
      refusals: [401, 410],
    },
  },
  ...passkeyCalls,
  '/api/auth/logout': {
    post: {
      summary: 'Sign out',
      who: 'anyone',
      isAlwaysOpen: true,
      answers: { 200: { text: 'Signed out, even if no one was signed in.', schema: messageBody } },
    },
  },
  '/api/auth/forgot-password': {
    post: withoutSession('Email a link that sets a new password', forgotSchema, messageBody, sameForAll),
  },
  '/api/auth/forgot-username': { post: withoutSession('Email the username', forgotSchema, messageBody, sameForAll) },
  '/api/auth/reset-password': {
    post: {
      ...withoutSession('Set a password with the emailed secret', resetSchema, messageBody, 'The password is set.'),
      refusals: [404, 410],
    },
  },
  '/api/auth/confirm-email': {
    post: {
      ...withoutSession(
        'Confirm an email address with the emailed secret',
        confirmEmailSchema,
        z.object({ email: z.string() }),
        'The confirmed email address.',
      ),
      refusals: [404, 409, 410],
    },
  },
  '/api/auth/resend-confirmation': {
    post: {
      summary: 'Send the email that confirms the email address again',
      who: 'seller',
      isLimited: true,
      answers: { 200: { text: 'Sent.', schema: messageBody } },
      refusals: [409],
    },
  },
  '/api/auth/session': {
    get: {
      summary: "Return next-auth's session (`GET /api/auth/user` says more)",
      who: 'anyone',
      isAlwaysOpen: true,
      answers: { 200: { text: 'Empty without a session.', schema: z.looseObject({}) } },
      refusals: [401],
    },
  },
  '/api/auth/csrf': {
    get: {
      summary: "Return next-auth's token for signing out",
      who: 'anyone',
      isAlwaysOpen: true,
      answers: { 200: { text: 'The token.', schema: z.object({ csrfToken: z.string() }) } },
    },
  },
  '/api/auth/signout': {
    post: {
      summary: 'Sign out through next-auth (`POST /api/auth/logout` is simpler)',
      who: 'anyone',
      isAlwaysOpen: true,
      body: { schema: z.looseObject({ csrfToken: z.optional(z.string()) }), type: 'application/x-www-form-urlencoded' },
      isBodyOptional: true,
      answers: {
        200: { text: 'The URL to open next.', schema: z.looseObject({ url: z.string() }) },
        302: { text: 'Signed out.' },
      },
    },
  },
  '/api/login': {
    get: {
      summary: 'The login page, which leads back afterwards',
      who: 'anyone',
      isAlwaysOpen: true,
      query: z.object({ redirect: z.optional(z.string()) }),
      answers: { 302: { text: 'To `/login`.' } },
    },
  },
}

const signingUp: Operations = {
  '/api/auth/check-username/{username}': {
    get: {
      summary: 'Check whether a username is free',
      who: 'anyone',
      isLimited: true,
      answers: { 200: { text: 'The answer, with suggestions.', schema: usernameCheckView } },
    },
  },
  '/api/auth/signup': {
    post: {
      summary: 'Create an account and sign in',
      who: 'anyone',
      isLimited: true,
      body: { schema: signupSchema },
      answers: { 201: { text: 'Created.', schema: ofUser } },
      refusals: [409],
    },
  },
  '/api/auth/signup-draft': {
    post: {
      summary: 'Store what was typed until a plan is chosen',
      who: 'anyone',
      isLimited: true,
      body: { schema: signupDraftSchema },
      answers: { 200: { text: 'Stored.', schema: z.object({ redirect: z.literal('/plans') }) } },
      refusals: [409],
    },
  },
  '/api/auth/signup-draft/complete': {
    post: {
      summary: 'Create the account from the stored sign-up',
      who: 'anyone',
      isLimited: true,
      body: { schema: planStepSchema },
      answers: { 201: { text: 'Created.', schema: z.extend(ofUser, { redirect: z.literal('/welcome') }) } },
      refusals: [409, 410],
    },
  },
}

const ownAccount: Operations = {
  '/api/auth/user': {
    get: {
      summary: 'Return the signed-in user',
      who: 'seller',
      answers: { 200: { text: 'The user.', schema: userView } },
    },
  },
  '/api/user/settings': {
    patch: {
      summary: 'Change settings',
      who: 'seller',
      body: { schema: settingsSchema },
      answers: { 200: { text: 'The user.', schema: userView } },
    },
  },
  '/api/user/profile': {
    patch: {
      summary: 'Change names and the email address',
      who: 'seller',
      body: { schema: profileSchema },
      answers: {
        200: {
          text: 'The user, and the new email address that is not confirmed yet.',
          schema: z.extend(userView, { pendingEmail: z.nullable(z.string()) }),
        },
      },
      refusals: [409, 429],
    },
  },
  '/api/user/public-profile': {
    get: {
      summary: 'Return what the public profile says',
      who: 'seller',
      answers: { 200: { text: 'The line about the seller, and the links.', schema: publicProfileView } },
    },
    patch: {
      summary: 'Change what the public profile says',
      who: 'activeSeller',
      isLimited: true,
      body: { schema: publicProfileSchema },
      answers: { 200: { text: 'The line about the seller, and the links.', schema: publicProfileView } },
    },
  },
  '/api/user/profile-image': {
    post: {
      summary: 'Set the profile picture',
      who: 'activeSeller',
      isLimited: true,
      body: { schema: z.strictObject({}), type: 'multipart/form-data', files: ['profileImage'] },
      answers: {
        200: { text: 'The user.', schema: z.extend(ofUser, { imageUrl: z.nullable(z.string()) }) },
      },
    },
    delete: {
      summary: 'Remove the profile picture',
      who: 'activeSeller',
      answers: { 200: { text: 'The user.', schema: ofUser } },
    },
  },
  '/api/check-username-eligibility': {
    get: {
      summary: 'Check whether the username may be changed now',
      who: 'seller',
      answers: { 200: { text: 'The answer.', schema: eligibilityView } },
    },
  },
  '/api/change-username': {
    post: {
      summary: 'Change the username',
      who: 'activeSeller',
      isLimited: true,
      body: { schema: changeUsernameSchema },
      answers: { 200: { text: 'The user.', schema: ofUser } },
      refusals: [409],
    },
  },
  '/api/user/export': {
    get: {
      summary: 'Export everything that we store about the seller',
      who: 'seller',
      isAlwaysOpen: true,
      query: z.object({ format: z.optional(z.enum(['json', 'csv'])) }),
      answers: { 200: { text: 'The file.', type: '*/*' } },
    },
  },
}

/** The calls of docs/contract.md#calls-about-accounts. */
export const accountCalls: Operations = { ...signingIn, ...signingUp, ...ownAccount }
